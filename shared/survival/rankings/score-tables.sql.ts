import type { RankingScope } from "./scope.ts";
import { withinScopeSql } from "./scope.ts";

/** The SQL names of a table with players' values. */
export interface ScoreTable {
  readonly table: string;
  /** The column of the stat or NPC profile. */
  readonly key: string;
  readonly value: string;
  readonly at: string;
  /** The prefix of the key in `survival_standings`. */
  readonly prefix: string;
}

export const scoreTable: ScoreTable = {
  table: "survival_scores",
  key: "stat",
  value: "value",
  at: "reached_at",
  prefix: "",
};

export const killTable: ScoreTable = {
  table: "survival_npc_kills",
  key: "profile_key",
  value: "kills",
  at: "last_at",
  prefix: "npc:",
};

/** SQL that reads a scope's players in order. @param scope SQL of the scope's name */
export const orderedPlayersSql = (
  { table, key, value, at, prefix }: ScoreTable,
  kind: RankingScope["kind"],
  scope: string,
  of: string,
): { from: string; where: string; value: string; at: string } =>
  kind === "totals"
    ? {
        from: "survival_standings ordered",
        where: `ordered.scope = ${scope} and ordered.stat = '${prefix}' || ${of}`,
        value: "ordered.value",
        at: "ordered.reached_at",
      }
    : {
        from: `${table} ordered`,
        where: `ordered.wipe_id = substr(${scope}, 2)::integer and ordered.${key} = ${of} and not ordered.left_out`,
        value: `ordered.${value}`,
        at: `ordered.${at}`,
      };

/**
 * Returns SQL of a value's rank in a scope: the counts of all higher buckets, plus the players with a
 * higher value in the same bucket. A bucket's end is less than 1.022 times its start.
 */
export function rankSql(
  figures: ScoreTable,
  kind: RankingScope["kind"],
  { scope, of, value }: { readonly scope: string; readonly of: string; readonly value: string },
): string {
  const ordered = orderedPlayersSql(figures, kind, scope, of);
  return `(1 + (
      select coalesce(sum(players), 0) from survival_standing_counts counted
      where counted.scope = ${scope} and counted.stat = '${figures.prefix}' || ${of}
        and counted.bucket > survival_bucket(${value})
    ) + (
      select count(*) from ${ordered.from}
      where ${value} >= 32 and ${ordered.where} and ${ordered.value} > ${value}
        and ${ordered.value} <= (${value} * 1.022)::bigint + 1
        and survival_bucket(${ordered.value}) = survival_bucket(${value})
    ))::integer`;
}

/** Returns SQL: true if a scope's totals are stored. Single worlds need no totals. */
export const hasTotalsSql = (
  { prefix }: ScoreTable,
  kind: RankingScope["kind"],
  scope: string,
  of: string,
): string =>
  kind === "world"
    ? "true"
    : `exists (select from survival_boards board
        where board.scope = ${scope} and board.stat = '${prefix}' || ${of})`;

/**
 * SQL of players' values over several worlds: the maximum of distances, the sum of other values.
 * @param source SQL of the rows to read, which may contain more worlds
 */
const totalSql = ({ key, value }: ScoreTable, source: string): string => `
  select figure.${key} as key, figure.steam_id,
    (case when survival_takes_furthest(figure.${key}) then max(figure.${value})
      else sum(figure.${value}) end)::bigint as value
  from ${source} figure
  join survival_wipes wipe on wipe.id = figure.wipe_id
  join survival_servers server on server.id = wipe.server_id
  where ${withinScopeSql} and not figure.left_out
  group by figure.${key}, figure.steam_id`;

/**
 * Reads all values of the players first. In one query with the worlds, a planner without statistics would read the
 * values of all players in a world.
 */
export const selectRanksSql = (figures: ScoreTable, kind: RankingScope["kind"]): string => `
  with figures as materialized (
    select * from ${figures.table} where steam_id = any($4::text[])
  ), own as materialized (${totalSql(figures, "figures")})
  select own.steam_id as "steamId", own.key, own.value,
    ${hasTotalsSql(figures, kind, "$5::text", "own.key")} as "isKept",
    ${rankSql(figures, kind, { scope: "$5::text", of: "own.key", value: "own.value" })} as rank
  from own`;

/**
 * Computes ranks from all players' values while the totals are missing. The keys are an array, because a planner
 * without statistics would look for the key of each value again.
 */
export const selectUncachedRanksSql = (figures: ScoreTable): string => `
  with totals as (${totalSql(
    figures,
    `(select * from ${figures.table} where ${figures.key} = any(array(
      select distinct ${figures.key} from ${figures.table} where steam_id = any($4::text[]))))`,
  )}), ranked as (
    select *, rank() over (partition by key order by value desc)::integer as rank from totals
  )
  select steam_id as "steamId", key, value, rank from ranked where steam_id = any($4::text[])`;
