import type { Sequelize } from "sequelize";

import { type NullColumns, rows } from "../../platform/db/rows.ts";
import type { RankingScope } from "./scope.ts";
import { type WorldScope, scopeValues, withinScopeSql } from "./scope.ts";
import { type ScoreTable, hasTotalsSql, orderedPlayersSql, rankSql } from "./score-tables.sql.ts";

export interface PageQuery {
  /** The key of the stat or NPC profile. */
  readonly key: string;
  readonly limit: number;
  readonly offset: number;
}

export interface RankingEntry {
  readonly rank: number;
  readonly steamId: string;
  readonly value: number;
  readonly at: Date;
}

export interface RankingPage {
  readonly players: readonly RankingEntry[];
  readonly total: number;
  readonly updatedAt: Date | null;
}

interface RankedPlayer {
  readonly steamId: string;
  readonly value: number;
  readonly at: Date;
}

interface Totals {
  readonly isKept: boolean;
  readonly total: number;
  readonly updatedAt: Date | null;
  /** Rank of the first row. The ranks of later rows are computed from it. */
  readonly rank: number;
}

/** A page beyond the last page has one row without a player. */
type Row = Totals & (RankedPlayer | NullColumns<RankedPlayer>);

/**
 * Reads a page of a scope's ranking. Players with equal values share a rank, and the first to reach the value is
 * listed first. Each range of values has a stored count of players, so deep pages are as fast as the first page.
 * @returns null if the totals are not stored yet
 */
export async function readRankingPage(
  figures: ScoreTable,
  scope: RankingScope,
  { key, limit, offset }: PageQuery,
  sequelize: Sequelize,
): Promise<RankingPage | null> {
  const found = await rows<Row>(sequelize, pageSql(figures, scope.kind), [
    scope.name,
    key,
    offset,
    limit,
  ]);
  const [first] = found;
  if (!first?.isKept) return null;
  const players: RankingEntry[] = [];
  for (const [at, row] of found.entries()) {
    if (row.steamId === null) continue;
    const { steamId, value, at: reachedAt } = row;
    const before = players.at(-1);
    const own = at === 0 ? first.rank : offset + at + 1;
    const rank = before?.value === value ? before.rank : own;
    players.push({ rank, steamId, value, at: reachedAt });
  }
  return { players, total: first.total, updatedAt: first.total === 0 ? null : first.updatedAt };
}

function pageSql(figures: ScoreTable, kind: RankingScope["kind"]): string {
  const ordered = orderedPlayersSql(figures, kind, "$1::text", "$2::text");
  const rank = rankSql(figures, kind, {
    scope: "$1::text",
    of: "$2::text",
    value: "(select value from page order by value desc limit 1)",
  });
  return `
    with counts as materialized (
      select bucket, players, updated_at, sum(players) over (order by bucket desc) - players as before
      from survival_standing_counts
      where scope = $1::text and stat = '${figures.prefix}' || $2::text
    ), first as materialized (
      select bucket, before, case when bucket < 32 then bucket
        else (32 * exp((bucket - 31) / 48::float8))::bigint + 1 end as greatest
      from counts where before <= $3::bigint and $3::bigint < before + players limit 1
    ), page as materialized (
      select ordered.steam_id, ${ordered.value} as value, ${ordered.at} as at
      from ${ordered.from}
      where ${ordered.where} and ${ordered.value} <= (select greatest from first)
        and survival_bucket(${ordered.value}) <= (select bucket from first)
      order by ${ordered.value} desc, ${ordered.at}, ordered.steam_id
      limit $4::bigint offset $3::bigint - (select before from first)
    )
    select ${hasTotalsSql(figures, kind, "$1::text", "$2::text")} as "isKept",
      coalesce(total, 0)::integer as total, nullif("updatedAt", '-infinity') as "updatedAt",
      page.steam_id as "steamId", page.value, page.at, ${rank} as rank
    from (select sum(players) as total, max(updated_at) as "updatedAt" from counts) counted
    left join page on true
    order by page.value desc, page.at, page.steam_id`;
}

interface UncachedTotals {
  readonly total: number;
  readonly updatedAt: Date | null;
}

/** A page beyond the last page has one row without a player. */
type UncachedRow = UncachedTotals & (RankingEntry | NullColumns<RankingEntry>);

/** Computes a page from the values of all worlds while the totals are missing. */
export async function readUncachedPage(
  figures: ScoreTable,
  scope: WorldScope,
  { key, limit, offset }: PageQuery,
  sequelize: Sequelize,
): Promise<RankingPage> {
  const values = [...scopeValues(scope), key, limit, offset];
  const found = await rows<UncachedRow>(sequelize, uncachedPageSql(figures), values);
  const players = found.flatMap((row) => {
    if (row.steamId === null) return [];
    const { rank, steamId, value, at } = row;
    return [{ rank, steamId, value, at }];
  });
  return { players, total: found[0]?.total ?? 0, updatedAt: found[0]?.updatedAt ?? null };
}

const uncachedPageSql = ({ table, key, value, at }: ScoreTable): string => `
  with totals as (
    select figure.steam_id,
      case when survival_takes_furthest($4::text) then max(figure.${value})
        else sum(figure.${value}) end::bigint as value,
      case when survival_takes_furthest($4::text)
        then (array_agg(figure.${at} order by figure.${value} desc, figure.${at}))[1]
        else max(figure.${at}) end as at,
      max(figure.${at}) as updated_at
    from ${table} figure
    join survival_wipes wipe on wipe.id = figure.wipe_id
    join survival_servers server on server.id = wipe.server_id
    where ${withinScopeSql} and figure.${key} = $4::text and not figure.left_out
    group by figure.steam_id
  ), page as (
    select steam_id, value, at, rank() over (order by value desc)::integer as rank
    from totals order by value desc, at, steam_id limit $5 offset $6
  )
  select page.rank, page.steam_id as "steamId", page.value, page.at, counted.total,
    counted.updated_at as "updatedAt"
  from (select count(*)::integer as total, max(updated_at) as updated_at from totals) counted
  left join page on true
  order by page.value desc, page.at, page.steam_id`;
