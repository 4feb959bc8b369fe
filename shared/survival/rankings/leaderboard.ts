import type { SurvivalScore } from "../../../models/survival/players/survival-score.ts";
import type { SurvivalSighting } from "../../../models/survival/players/survival-sighting.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import type { StatName } from "../kinds/stat-names.ts";
import type { ServerRecord } from "../servers/read-servers.ts";
import { computeTitles } from "../titles/title-sync.ts";
import { findWipe } from "../wipes/read-wipes.ts";
import { type RankingPage, readRankingPage, readUncachedPage } from "./read-page.ts";
import { type RankingScope, findRankingScope } from "./scope.ts";
import { scoreTable } from "./score-tables.sql.ts";

export interface LeaderboardQuery {
  readonly stat: StatName;
  readonly wipe: number | "current" | "all";
  readonly limit: number;
  readonly offset: number;
}

export interface LeaderboardEntry
  extends Pick<SurvivalScore, "steamId" | "value">, Pick<SurvivalSighting, "name"> {
  readonly rank: number;
  /** The player's first chat title in the current world. */
  readonly title?: string;
}

export interface Leaderboard {
  /** The id of the requested world, or `all`; null if there is no world. */
  readonly wipe: number | "all" | null;
  readonly entries: readonly LeaderboardEntry[];
  readonly total: number;
  readonly updatedAt: Date | null;
}

/**
 * Reads the ranking of a stat, within one world or for all time. Equal values share a rank; the first player to
 * reach the value is listed first. Staff are listed unless the server excludes them.
 * @throws AppError missing for a world of another server
 */
export async function readLeaderboard(
  { server, wipe: current }: ServerRecord,
  query: LeaderboardQuery,
  context: Pick<Context, "models" | "sequelize">,
): Promise<Leaderboard> {
  const wipe = await wipeIdOf(query.wipe, server.id, current?.id ?? null, context);
  if (wipe === null) return { wipe, entries: [], total: 0, updatedAt: null };
  const [{ players, total, updatedAt }, titles] = await Promise.all([
    readPage(server.id, wipe, query, context),
    firstTitles(server.id, context),
  ]);
  const names = await readNames(
    server.id,
    players.map(({ steamId }) => steamId),
    context,
  );
  const entries = players.map(({ rank, steamId, value }) => ({
    rank,
    steamId,
    name: names.get(steamId) ?? "",
    value,
    ...titles.get(steamId),
  }));
  return { wipe, entries, total, updatedAt };
}

async function readPage(
  serverId: number,
  wipe: number | "all",
  { stat, limit, offset }: LeaderboardQuery,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<RankingPage> {
  const scope = { serverId, wipeId: null, isCurrent: false };
  const board: RankingScope | null =
    wipe === "all"
      ? await findRankingScope(scope, sequelize)
      : { kind: "world", name: `w${wipe}`, wipeId: wipe };
  if (!board) return { players: [], total: 0, updatedAt: null };
  const page = { key: stat, limit, offset };
  return (
    (await readRankingPage(scoreTable, board, page, sequelize)) ??
    readUncachedPage(scoreTable, scope, page, sequelize)
  );
}

async function readNames(
  serverId: number,
  steamIds: readonly string[],
  { sequelize }: Pick<Context, "sequelize">,
): Promise<ReadonlyMap<string, string>> {
  const found = await rows<Pick<SurvivalSighting, "steamId" | "name">>(sequelize, selectNames, [
    serverId,
    steamIds,
  ]);
  return new Map(found.map(({ steamId, name }) => [steamId, name]));
}

const selectNames = `
  select steam_id as "steamId", name from survival_sightings
  where server_id = $1 and steam_id = any($2::text[])`;

async function firstTitles(
  serverId: number,
  { models, sequelize }: Pick<Context, "models" | "sequelize">,
): Promise<ReadonlyMap<string, { readonly title: string }>> {
  const { holders } = await computeTitles(serverId, { models, database: sequelize });
  return new Map(
    holders.flatMap(({ steamId, titles: [first] }) =>
      first ? [[steamId, { title: first.text }] as const] : [],
    ),
  );
}

async function wipeIdOf(
  wipe: LeaderboardQuery["wipe"],
  serverId: number,
  current: number | null,
  context: Pick<Context, "models">,
): Promise<number | "all" | null> {
  if (wipe === "all") return wipe;
  if (wipe === "current") return current;
  return (await findWipe(serverId, wipe, context)).id;
}
