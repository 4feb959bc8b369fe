import type { Context } from "../../platform/context.ts";
import { shownName } from "../players/shown-name.ts";

/**
 * The Steam accounts that a user has linked, the oldest first.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnSteamLink:
 *       type: object
 *       additionalProperties: false
 *       required: [steamId, name, linkedAt]
 *       properties:
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 *         linkedAt: { type: string, format: date-time }
 *     SteamId:
 *       type: string
 *       description: >-
 *         SteamID64 of a Steam account. It is a string because the number is too large for a JSON
 *         number.
 *       pattern: ^7656119\d{10}$
 *       example: '76561198012345678'
 */
export async function readOwnSteamLinks(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  return models.SteamLink.findAll({
    where: { userId },
    attributes: ["steamId", "name", "linkedAt"],
    order: ["linkedAt", "steamId"],
    raw: true,
  });
}

/**
 * The same with the server on which the code was made.
 *
 * @openapi
 * components:
 *   schemas:
 *     SteamLink:
 *       type: object
 *       additionalProperties: false
 *       required: [steamId, name, linkedAt, server]
 *       properties:
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 *         linkedAt: { type: string, format: date-time }
 *         server:
 *           type: object
 *           nullable: true
 *           description: Survival server that issued the code. Null if the server was deleted.
 *           additionalProperties: false
 *           required: [id, name]
 *           properties:
 *             id: { type: integer }
 *             name: { type: string }
 *     SteamLinked:
 *       type: object
 *       additionalProperties: false
 *       required: [steamId, name, linkedAt]
 *       properties:
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 *         linkedAt: { type: string, format: date-time }
 */
export async function readLinkedAccounts(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const links = await models.SteamLink.findAll({
    where: { userId },
    include: [{ association: "server", attributes: ["id", "name"] }],
    order: ["linkedAt", "steamId"],
  });
  return links.map(({ steamId, name, linkedAt, server }) => ({
    steamId,
    name: shownName(name, steamId),
    linkedAt,
    server: server ? { id: server.id, name: server.name } : null,
  }));
}
