import type { Sequelize } from "sequelize";

import { rows } from "../../platform/db/rows.ts";
import type { RankingPage, RankingEntry, PageQuery } from "./read-page.ts";
import { withinScopeSql, scopeValues, type WorldScope } from "./scope.ts";
import type { ScoreTable } from "./score-tables.ts";

interface Row extends Omit<RankingEntry, "steamId"> {
  readonly steamId: string | null;
  readonly total: number;
  readonly updatedAt: Date | null;
}

/** Computes a page from the values of all worlds while the totals are missing. */
export async function readUncachedPage(
  figures: ScoreTable,
  scope: WorldScope,
  { key, limit, offset }: PageQuery,
  sequelize: Sequelize,
): Promise<RankingPage> {
  const values = [...scopeValues(scope), key, limit, offset];
  const found = await rows<Row>(sequelize, pageSql(figures), values);
  const players = found.flatMap(({ rank, steamId, value, at }) =>
    steamId === null ? [] : [{ rank, steamId, value, at }],
  );
  return { players, total: found[0]?.total ?? 0, updatedAt: found[0]?.updatedAt ?? null };
}

const pageSql = ({ table, key, value, at }: ScoreTable): string => `
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
