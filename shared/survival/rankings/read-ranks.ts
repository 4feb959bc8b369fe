import type { Sequelize } from "sequelize";

import { rows } from "../../platform/db/rows.ts";
import {
  withinScopeSql,
  scopeValues,
  type WorldScope,
  findRankingScope,
  type RankingScope,
} from "./scope.ts";
import { type ScoreTable, hasTotalsSql, rankSql } from "./score-tables.ts";

export interface RankedPlayer {
  readonly steamId: string;
  readonly key: string;
  readonly value: number;
  readonly rank: number;
}

interface Row extends RankedPlayer {
  readonly isKept: boolean;
}

/** Reads the values of players in the requested worlds, with their ranks. */
export async function readRanks(
  figures: ScoreTable,
  steamIds: readonly string[],
  scope: WorldScope,
  sequelize: Sequelize,
): Promise<readonly RankedPlayer[]> {
  const board = await findRankingScope(scope, sequelize);
  if (!board || steamIds.length === 0) return [];
  const values = [...scopeValues(scope), steamIds];
  const found = await rows<Row>(sequelize, rankedSql(figures, board.kind), [...values, board.name]);
  if (found.every(({ isKept }) => isKept)) return found;
  return rows<RankedPlayer>(sequelize, plainSql(figures), values);
}

/** SQL of players' values over several worlds: the maximum of distances, the sum of other values. */
const totalSql = ({ table, key, value }: ScoreTable, condition: string): string => `
  select figure.${key} as key, figure.steam_id,
    (case when survival_takes_furthest(figure.${key}) then max(figure.${value})
      else sum(figure.${value}) end)::bigint as value
  from ${table} figure
  join survival_wipes wipe on wipe.id = figure.wipe_id
  join survival_servers server on server.id = wipe.server_id
  where ${withinScopeSql} and not figure.left_out and ${condition}
  group by figure.${key}, figure.steam_id`;

const rankedSql = (figures: ScoreTable, kind: RankingScope["kind"]): string => `
  with own as materialized (${totalSql(figures, "figure.steam_id = any($4::text[])")})
  select own.steam_id as "steamId", own.key, own.value,
    ${hasTotalsSql(figures, kind, "$5::text", "own.key")} as "isKept",
    ${rankSql(figures, kind, { scope: "$5::text", of: "own.key", value: "own.value" })} as rank
  from own`;

/** Computes ranks from all players' values while the totals are missing. */
const plainSql = (figures: ScoreTable): string => `
  with totals as (${totalSql(
    figures,
    `figure.${figures.key} in (select ${figures.key} from ${figures.table} where steam_id = any($4::text[]))`,
  )}), ranked as (
    select *, rank() over (partition by key order by value desc)::integer as rank from totals
  )
  select steam_id as "steamId", key, value, rank from ranked where steam_id = any($4::text[])`;
