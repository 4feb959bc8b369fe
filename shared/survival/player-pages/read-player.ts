import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { missing } from "../../platform/errors/errors.ts";
import { clansOfPlayers } from "../clans/clans-of-players.ts";
import { findName } from "../players/newest-name.ts";
import { shownName } from "../players/shown-name.ts";
import { computeTitles, type ServerTitles } from "../titles/push/compute-titles.ts";
import type { HeldTitle } from "../titles/title-holders.ts";
import { viewOf } from "../visibility/read-visibility.ts";
import type { WorldScope } from "../worlds/world-scope.ts";
import { readStatsOf, totalOf } from "./player-stats.ts";

type Parts = Pick<Context, "models" | "sequelize">;

/**
 * One player with what they have done.
 * @throws AppError missing for one who was seen on no listed server
 *
 * @openapi
 * components:
 *   schemas:
 *     SurvivalPlayer:
 *       type: object
 *       additionalProperties: false
 *       required: [player, stats, titles]
 *       properties:
 *         player: { $ref: '#/components/schemas/SurvivalPerson' }
 *         stats: { $ref: '#/components/schemas/SurvivalStats' }
 *         titles:
 *           type: array
 *           description: >-
 *             Chat titles that the player holds in the current world. If the request contains
 *             `server`, this is the world of that server; otherwise the titles of the current
 *             worlds of all listed servers are returned.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [text, color, stat, rank]
 *             properties:
 *               text: { type: string, example: Assassin }
 *               color: { type: string, nullable: true, example: '#d08030' }
 *               stat: { $ref: '#/components/schemas/SurvivalStat' }
 *               rank: { type: integer, description: Rank of the player in the stat. }
 *         clan:
 *           type: object
 *           description: >-
 *             Clan of the player. If the request contains `server`, the player's clan on that
 *             server. If not, the clan that the player joined last, of all listed servers that
 *             accept Steam links. Absent if the player has no clan, and for callers below the
 *             audience `roster`.
 *           allOf: [{ $ref: '#/components/schemas/ClanName' }]
 *     ClanName:
 *       type: object
 *       additionalProperties: false
 *       required: [externalId, name]
 *       properties:
 *         externalId:
 *           type: string
 *           example: '3-17-1764542400'
 *           description: Id of the clan, to use in the paths of operations.
 *         name: { type: string, example: Night Owls }
 *     SurvivalStats:
 *       type: object
 *       description: Value and rank in each stat, by the name of the stat.
 *       additionalProperties:
 *         type: object
 *         additionalProperties: false
 *         required: [value, rank]
 *         properties:
 *           value:
 *             type: integer
 *             description: >-
 *               Value of the stat: seconds for `playtime`, meters for kill distances, a count for
 *               all other stats.
 *           rank:
 *             type: integer
 *             nullable: true
 *             description: Rank of the player among all players. Null if the player has no value.
 *       example: { playersKilled: { value: 12, rank: 3 } }
 */
export async function readPlayer(
  steamId: string,
  scope: WorldScope,
  caller: Caller | null,
  context: Parts,
): Promise<object> {
  const { visibility, reaches } = await viewOf(caller, context);
  const name = await findName(steamId, scope.serverId, context);
  if (name === undefined) throw missing("Unknown player");
  // One after another, so that one page takes one connection and one core of the database at a time.
  const stats = await readStatsOf([steamId], scope, context);
  const titles = await readTitlesOf(steamId, scope, context);
  const seesClan = reaches(visibility.roster);
  const clans = seesClan ? await clansOfPlayers([steamId], scope.serverId, context) : null;
  const clan = clans?.get(steamId);
  return {
    player: { steamId, name: shownName(name, steamId) },
    stats: stats.get(steamId),
    titles,
    ...(clan && { clan }),
  };
}

/** Of the worlds that stand, as the games show them; of all servers where none was asked about. */
async function readTitlesOf(
  steamId: string,
  { serverId }: WorldScope,
  { models, sequelize }: Parts,
): Promise<readonly HeldTitle[]> {
  const ruled = await rows<{ readonly serverId: number }>(sequelize, serversWithTitles, [
    steamId,
    serverId,
  ]);
  const all: ServerTitles[] = [];
  for (const server of ruled) {
    all.push(await computeTitles(server.serverId, { models, database: sequelize }));
  }
  return all.flatMap(
    ({ holders }) => holders.find((holder) => holder.steamId === steamId)?.titles ?? [],
  );
}

/** The listed servers with rules for titles on whose current world a player was seen. */
const serversWithTitles = `
  select server.id as "serverId"
  from survival_tallies tally
  join survival_wipes wipe on wipe.id = tally.wipe_id and wipe.ended_at is null
  join survival_servers server on server.id = wipe.server_id and server.listed
  where tally.steam_id = $1 and ($2::integer is null or server.id = $2)
    and exists (select from survival_title_rules rule where rule.server_id = server.id and rule.enabled)
  order by server.id`;

/**
 * What a user has done with all of the Steam accounts that they linked.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnSurvivalStats:
 *       type: object
 *       additionalProperties: false
 *       required: [players, total]
 *       properties:
 *         players:
 *           type: array
 *           description: The linked Steam accounts, in the order in which they were linked.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [steamId, name, stats]
 *             properties:
 *               steamId: { $ref: '#/components/schemas/SteamId' }
 *               name: { type: string }
 *               stats: { $ref: '#/components/schemas/SurvivalStats' }
 *         total:
 *           type: object
 *           description: >-
 *             Values of all accounts together, by the name of the stat. For kill distances, the
 *             value is the maximum of the accounts; for all other stats, it is their sum.
 *           additionalProperties: { type: integer }
 *           example: { playersKilled: 12 }
 */
export async function readOwnStats(
  userId: number,
  scope: WorldScope,
  context: Parts,
): Promise<object> {
  const links = await context.models.SteamLink.findAll({
    where: { userId },
    attributes: ["steamId", "name"],
    order: ["linkedAt", "steamId"],
    raw: true,
  });
  const stats = await readStatsOf(
    links.map(({ steamId }) => steamId),
    scope,
    context,
  );
  return {
    players: links.map(({ steamId, name }) => ({
      steamId,
      name: shownName(name, steamId),
      stats: stats.get(steamId),
    })),
    total: totalOf([...stats.values()]),
  };
}
