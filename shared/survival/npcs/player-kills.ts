import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";
import { findName } from "../players/newest-name.ts";
import { shownName } from "../players/shown-name.ts";
import { findWorlds, type WorldQuery, type WorldScope } from "../worlds/world-scope.ts";
import { readKillsOf } from "./rankings.ts";

/**
 * What a player has killed, by profile.
 * @throws AppError missing for one who was seen on no listed server
 *
 * @openapi
 * components:
 *   schemas:
 *     PlayerNpcKills:
 *       type: object
 *       additionalProperties: false
 *       required: [player, profiles]
 *       properties:
 *         player: { $ref: '#/components/schemas/SurvivalPerson' }
 *         profiles: { type: array, items: { $ref: '#/components/schemas/NpcKills' } }
 *     SurvivalPerson:
 *       type: object
 *       additionalProperties: false
 *       required: [steamId, name]
 *       properties:
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 */
export async function readPlayerKills(
  steamId: string,
  query: WorldQuery,
  context: Pick<Context, "models" | "sequelize">,
): Promise<object> {
  const scope = await findWorlds(query, context);
  const name = await findName(steamId, scope.serverId, context);
  if (name === undefined) throw missing("Unknown player");
  return {
    player: { steamId, name: shownName(name, steamId) },
    profiles: await readKillsOf([steamId], scope, context),
  };
}

/**
 * What a user has killed with all of the Steam accounts that they linked.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnNpcKills:
 *       type: object
 *       additionalProperties: false
 *       required: [players, profiles]
 *       properties:
 *         players:
 *           type: array
 *           description: >-
 *             The caller's linked Steam accounts, in the order in which they were linked.
 *           items: { $ref: '#/components/schemas/SurvivalPerson' }
 *         profiles:
 *           type: array
 *           description: >-
 *             Kills of all these accounts together, by NPC profile, with the best rank of the
 *             accounts.
 *           items: { $ref: '#/components/schemas/NpcKills' }
 */
export async function readOwnKills(
  userId: number,
  scope: WorldScope,
  context: Pick<Context, "models" | "sequelize">,
): Promise<object> {
  const links = await context.models.SteamLink.findAll({
    where: { userId },
    attributes: ["steamId", "name"],
    order: ["linkedAt", "steamId"],
    raw: true,
  });
  const steamIds = links.map(({ steamId }) => steamId);
  return {
    players: links.map(({ steamId, name }) => ({ steamId, name: shownName(name, steamId) })),
    profiles: await readKillsOf(steamIds, scope, context),
  };
}
