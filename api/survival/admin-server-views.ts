import { linkCodesOf } from "../../shared/survival/links/link-codes.ts";
import type { ServerRecord } from "../../shared/survival/servers/read-servers.ts";
import type { View } from "../../shared/survival/visibility/read-visibility.ts";
import { viewServer } from "./views.ts";

/**
 * A server as those see it who run it. The token never leaves.
 *
 * @openapi
 * components:
 *   schemas:
 *     AdminSurvivalServer:
 *       type: object
 *       additionalProperties: false
 *       required: [id, slug, name, description, region, framework, modded, connect, online, onlineSince,
 *         lastSeenAt, players, maxPlayers, queued, joining, map, mapHash, lastWipe, nextWipe,
 *         nextWipeSource, wipeRule, wipeTimezone, tabs, sort, enabled, listed, acceptsLinks,
 *         linkCodes, baseUrl, wsUrl, hasToken, protocol, link, helpers, wipeDay, wipeTime, wipeCron, wipeAt, titleMode,
 *         titleMax, permissionSync, showSeed, ignoreStaff, createdAt, updatedAt]
 *       properties:
 *         id: { type: integer }
 *         slug: { type: string }
 *         name: { type: string }
 *         description: { type: string, nullable: true }
 *         region: { type: string, nullable: true }
 *         framework: { type: string, nullable: true, enum: [oxide, carbon, vanilla, null] }
 *         modded: { $ref: '#/components/schemas/Modded' }
 *         connect: { type: string, nullable: true }
 *         online: { type: boolean }
 *         onlineSince: { type: string, format: date-time, nullable: true }
 *         lastSeenAt: { type: string, format: date-time, nullable: true }
 *         players: { type: integer, nullable: true }
 *         maxPlayers: { type: integer, nullable: true }
 *         queued: { type: integer, nullable: true }
 *         joining: { type: integer, nullable: true }
 *         map: { $ref: '#/components/schemas/SurvivalWorld' }
 *         mapHash: { type: string, nullable: true }
 *         lastWipe: { type: string, format: date-time, nullable: true }
 *         nextWipe: { type: string, format: date-time, nullable: true }
 *         nextWipeSource: { type: string, nullable: true, enum: [at, cron, rule, null] }
 *         wipeRule: { $ref: '#/components/schemas/WipeRule' }
 *         wipeTimezone: { type: string, nullable: true }
 *         tabs: { $ref: '#/components/schemas/SurvivalTabs' }
 *         sort: { type: integer }
 *         enabled: { type: boolean, description: Whether ingest takes it in. }
 *         listed: { type: boolean, description: Whether the public sees it. }
 *         acceptsLinks: { type: boolean, description: Whether its codes link Steam accounts. }
 *         linkCodes: { $ref: '#/components/schemas/SurvivalLinkCodes' }
 *         baseUrl: { type: string }
 *         wsUrl: { type: string }
 *         hasToken: { type: boolean }
 *         protocol: { type: integer, example: 13 }
 *         link: { $ref: '#/components/schemas/SurvivalLinkState' }
 *         helpers: { type: array, items: { $ref: '#/components/schemas/SurvivalHelper' } }
 *         wipeDay: { type: integer, nullable: true, description: 0 is Sunday. }
 *         wipeTime: { type: string, nullable: true, example: '19:00' }
 *         wipeCron: { type: string, nullable: true }
 *         wipeAt: { type: string, format: date-time, nullable: true }
 *         titleMode: { type: string, enum: [first, all, upTo] }
 *         titleMax: { type: integer, nullable: true }
 *         permissionSync: { type: boolean }
 *         showSeed: { type: boolean }
 *         ignoreStaff: { type: boolean }
 *         createdAt: { type: string, format: date-time }
 *         updatedAt: { type: string, format: date-time }
 *     SurvivalLinkCodes:
 *       type: object
 *       additionalProperties: false
 *       required: [lastAt, problem]
 *       properties:
 *         lastAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When it last told of a code for a Steam link.
 *         problem:
 *           type: string
 *           nullable: true
 *           description: Why its codes link nothing; null where they do.
 *           example: The plugin sends no hash of its codes. Update it.
 *     SurvivalLinkState:
 *       type: object
 *       additionalProperties: false
 *       required: [status, since, lastEventAt, lastSeq, bootId, epoch, worldReady, pluginVersion, npcApi,
 *         rowsLeftOut, leftOut, error]
 *       properties:
 *         status: { $ref: '#/components/schemas/LinkStatus' }
 *         since:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: Since when the link stands so.
 *         lastEventAt: { type: string, format: date-time, nullable: true }
 *         lastSeq: { type: integer, nullable: true }
 *         bootId: { type: string, nullable: true }
 *         epoch: { type: string, nullable: true }
 *         worldReady: { type: boolean }
 *         pluginVersion: { type: string, nullable: true }
 *         npcApi: { type: integer, nullable: true }
 *         rowsLeftOut:
 *           type: integer
 *           description: >
 *             Rows that were left out because the game sent an odd value in them, or because a bound of
 *             what is kept of the server was reached, in all.
 *           example: 0
 *         leftOut:
 *           type: array
 *           description: The bounds of what is kept of the server that were reached.
 *           items: { $ref: '#/components/schemas/SurvivalLeftOut' }
 *         error: { type: string, nullable: true, description: Why it is not connected. }
 *     SurvivalLeftOut:
 *       type: object
 *       additionalProperties: false
 *       required: [part, count, lastAt]
 *       properties:
 *         part: { $ref: '#/components/schemas/SurvivalBound' }
 *         count:
 *           type: integer
 *           description: Rows, pictures or messages that were left out or deleted early.
 *           example: 12
 *         lastAt: { type: string, format: date-time }
 *     SurvivalHelper:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, version, loaded]
 *       properties:
 *         id: { type: string, example: zones }
 *         name: { type: string, nullable: true, example: ZoneManager }
 *         version: { type: string, nullable: true }
 *         loaded: { type: boolean }
 */
export const viewAdminServer = (record: ServerRecord, view: View) => {
  const { server, hello } = record;
  const { enabled, listed, baseUrl, wsUrl, protocol, wipeDay, wipeTime, wipeCron, wipeAt } = server;
  const { titleMode, titleMax, permissionSync, showSeed, ignoreStaff } = server;
  return {
    ...viewServer(record, view),
    description: server.description,
    enabled,
    listed,
    acceptsLinks: server.acceptsLinks,
    linkCodes: linkCodesOf(record),
    baseUrl,
    wsUrl,
    hasToken: server.tokenSealed !== null,
    protocol,
    link: viewLink(record),
    helpers: (hello?.helpers ?? []).map(({ id, name = null, version = null, loaded }) => ({
      id,
      name,
      version,
      loaded,
    })),
    wipeDay,
    wipeTime,
    wipeCron,
    wipeAt,
    titleMode,
    titleMax,
    permissionSync,
    showSeed,
    ignoreStaff,
    createdAt: server.createdAt,
    updatedAt: server.updatedAt,
  };
};

const viewLink = ({ link, linkSince, source, leftOut, hello }: ServerRecord) => ({
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
