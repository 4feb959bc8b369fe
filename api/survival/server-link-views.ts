import type { ServerRecord } from "../../shared/survival/servers/read-servers.ts";

/**
 * Converts the state of the link to a game server.
 *
 * @openapi
 * components:
 *   schemas:
 *     SurvivalLinkState:
 *       type: object
 *       description: The link between the service and the game server.
 *       additionalProperties: false
 *       required: [status, since, lastEventAt, lastSeq, bootId, epoch, worldReady, pluginVersion, npcApi,
 *         rowsLeftOut, leftOut, error]
 *       properties:
 *         status: { $ref: '#/components/schemas/LinkStatus' }
 *         since:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the link entered its current status.
 *         lastEventAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the service last received an event from the server.
 *         lastSeq:
 *           type: integer
 *           nullable: true
 *           description: Sequence number of the last received event, within `epoch`.
 *         bootId: { type: string, nullable: true, description: Id of the game process. }
 *         epoch:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Id of the event buffer of the sidecar or plugin. When a new buffer is created, the id
 *             changes, and the sequence numbers in `lastSeq` start from the beginning.
 *         worldReady:
 *           type: boolean
 *           description: Whether the game has finished creating or loading its world.
 *         pluginVersion:
 *           type: string
 *           nullable: true
 *           description: Version of the bridge plugin.
 *         npcApi:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Version of the interface of the NPC plugin. NPC profiles and placements require
 *             version 4. Null if the server has no NPC plugin.
 *         rowsLeftOut:
 *           type: integer
 *           description: >
 *             Total number of rows that were not stored, either because the game sent an invalid
 *             value or because a storage limit of the server was reached.
 *           example: 0
 *         leftOut:
 *           type: array
 *           description: >-
 *             The storage limits of the server that were reached, with what was dropped for each.
 *           items: { $ref: '#/components/schemas/SurvivalLeftOut' }
 *         error:
 *           type: string
 *           nullable: true
 *           description: Why the link is not connected. Null while the link is connected.
 *     SurvivalLeftOut:
 *       type: object
 *       additionalProperties: false
 *       required: [part, count, lastAt]
 *       properties:
 *         part: { $ref: '#/components/schemas/SurvivalBound' }
 *         count:
 *           type: integer
 *           description: >-
 *             Number of rows, images or messages that were dropped, or that were deleted before
 *             their time.
 *           example: 12
 *         lastAt:
 *           type: string
 *           format: date-time
 *           description: When the storage limit last took effect.
 */
export const viewLink = ({ link, linkSince, source, leftOut, hello }: ServerRecord) => ({
  status: link,
  since: linkSince,
  lastEventAt: source.lastEventAt,
  lastSeq: source.seq,
  bootId: source.bootId,
  epoch: source.epoch,
  worldReady: hello?.worldReady ?? false,
  pluginVersion: hello?.plugin?.version ?? null,
  npcApi: hello?.npcApi ?? null,
  rowsLeftOut: leftOut.reduce((sum, { count }) => sum + count, source.rowsLeftOut),
  leftOut,
  error: link === "connected" ? null : source.reason,
});

/**
 * Converts the list of a game server's optional mods.
 *
 * @openapi
 * components:
 *   schemas:
 *     SurvivalHelper:
 *       type: object
 *       description: An optional mod of the game server.
 *       additionalProperties: false
 *       required: [id, name, version, loaded]
 *       properties:
 *         id: { type: string, example: zones }
 *         name: { type: string, nullable: true, example: ZoneManager }
 *         version: { type: string, nullable: true }
 *         loaded: { type: boolean, description: Whether the mod is running. }
 */
export const viewHelperMods = ({ hello }: ServerRecord) =>
  (hello?.helpers ?? []).map(({ id, name = null, version = null, loaded }) => ({
    id,
    name,
    version,
    loaded,
  }));
