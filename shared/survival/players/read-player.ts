import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { readClansOfPlayers } from "../clans/clan-identity.ts";
import { type StatName, statNames } from "../kinds/stat-names.ts";
import { displayName } from "../plain-texts.ts";
import { type RankedPlayer, readRanks } from "../rankings/read-ranks.ts";
import type { WorldScope } from "../rankings/scope.ts";
import { scoreTable } from "../rankings/score-tables.sql.ts";
import { titleCategories } from "../titles/title-categories.ts";
import type { PlayerTitle } from "../titles/title-holders.ts";
import { computeTitles, type ServerTitles } from "../titles/title-sync.ts";
import { readCallerAccess } from "../visibility/visibility.ts";
import { findPlayerName } from "./sightings.ts";

type Parts = Pick<Context, "models" | "sequelize">;

/** Reads one player. @throws AppError missing if no listed server has seen the player */
export async function readPlayer(
  steamId: string,
  scope: WorldScope,
  caller: Caller | null,
  context: Parts,
): Promise<object> {
  const { visibility, reaches } = await readCallerAccess(caller, context);
  const name = await findPlayerName(steamId, scope.serverId, context);
  if (name === undefined) throw notFoundError("Unknown player");
  // Query one after another, so that a page uses only one connection and one core of the database.
  const stats = await readStatsOf([steamId], scope, context);
  const titles = await readTitlesOf(steamId, scope, context);
  const seesClan = reaches(visibility.roster);
  const clans = seesClan ? await readClansOfPlayers([steamId], scope.serverId, context) : null;
  const clan = clans?.get(steamId);
  return {
    player: { steamId, name: displayName(name, steamId) },
    stats: stats.get(steamId),
    titles,
    ...(clan && { clan }),
  };
}

/** Reads a player's titles in the current world of the requested server, or of all servers. */
async function readTitlesOf(
  steamId: string,
  { serverId }: WorldScope,
  { models, sequelize }: Parts,
): Promise<readonly PlayerTitle[]> {
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

/** Listed servers with title rules, and with statistics of the player in the current world. */
const serversWithTitles = `
  select server.id as "serverId"
  from survival_tallies tally
  join survival_wipes wipe on wipe.id = tally.wipe_id and wipe.ended_at is null
  join survival_servers server on server.id = wipe.server_id and server.listed
  where tally.steam_id = $1 and ($2::integer is null or server.id = $2)
    and exists (select from survival_title_rules rule where rule.server_id = server.id and rule.enabled)
  order by server.id`;

/** Reads the statistics of all Steam accounts of a user. */
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
      name: displayName(name, steamId),
      stats: stats.get(steamId),
    })),
    total: totalOf([...stats.values()]),
  };
}

/** A statistic of a player with its rank; the rank is null if the player has no value. */
interface RankedFigure {
  readonly value: number;
  readonly rank: number | null;
}

type PlayerStats = Readonly<Record<StatName, RankedFigure>>;

/** Reads statistics by Steam id. Staff have no statistics on a server that excludes staff. */
async function readStatsOf(
  steamIds: readonly string[],
  scope: WorldScope,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<ReadonlyMap<string, PlayerStats>> {
  const found = await readRanks(scoreTable, steamIds, scope, sequelize);
  const own = Map.groupBy(found, ({ steamId }) => steamId);
  return new Map(steamIds.map((steamId) => [steamId, statsOf(own.get(steamId) ?? [])]));
}

function statsOf(found: readonly RankedPlayer[]): PlayerStats {
  const known = new Map<string, RankedFigure>(
    found.map(({ key, value, rank }) => [key, { value, rank }]),
  );
  const none: RankedFigure = { value: 0, rank: null };
  return Object.fromEntries(statNames.map((stat) => [stat, known.get(stat) ?? none])) as Record<
    StatName,
    RankedFigure
  >;
}

/** Combines the accounts of one person: for distances the maximum, for other values the sum. */
const totalOf = (all: readonly PlayerStats[]): Readonly<Record<StatName, number>> =>
  Object.fromEntries(
    statNames.map((stat) => {
      const values = all.map((stats) => stats[stat].value);
      const isFurthest = titleCategories[stat].aggregate === "max";
      const value = isFurthest ? Math.max(0, ...values) : values.reduce((sum, one) => sum + one, 0);
      return [stat, value];
    }),
  ) as Record<StatName, number>;
