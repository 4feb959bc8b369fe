import type { SurvivalScore } from "../../../models/survival/survival-score.ts";
import type { SurvivalSighting } from "../../../models/survival/survival-sighting.ts";
import type { Context } from "../../context.ts";
import { rows } from "../../db/rows.ts";
import type { ServerRecord } from "../servers/read-servers.ts";
import { countsSql } from "../tallies/counts.ts";
import type { StatName } from "../tallies/stat-names.ts";
import { computeTitles } from "../titles/push/compute-titles.ts";
import { titleCategories } from "../titles/title-categories.ts";
import { findWipe } from "../wipes/read-wipes.ts";

export interface LeaderboardQuery {
  readonly stat: StatName;
  readonly wipe: number | "current" | "all";
  readonly limit: number;
  readonly offset: number;
}

export interface LeaderboardEntry
  extends Pick<SurvivalScore, "steamId" | "value">, Pick<SurvivalSighting, "name"> {
  readonly rank: number;
  /** The first chat title that the player holds in the world that stands. */
  readonly title?: string;
}

export interface Leaderboard {
  /** The id of the world that was asked for, or `all`; null while there is no world. */
  readonly wipe: number | "all" | null;
  readonly entries: readonly LeaderboardEntry[];
  readonly total: number;
  readonly updatedAt: Date | null;
}

/**
 * Who is first in a figure, within one world or for all time. Equals share a rank; who came first to
 * the figure stands first among them. What staff did counts where the server does not leave it out.
 * @throws AppError missing for a world that the server does not have
 */
export async function readLeaderboard(
  { server, wipe: current }: ServerRecord,
  query: LeaderboardQuery,
  context: Pick<Context, "models" | "sequelize">,
): Promise<Leaderboard> {
  const { stat, limit, offset } = query;
  const wipe = await wipeIdOf(query.wipe, server.id, current?.id ?? null, context);
  if (wipe === null) return { wipe, entries: [], total: 0, updatedAt: null };
  const statement = statements[titleCategories[stat].aggregate];
  const [found, titles] = await Promise.all([
    rows<Row>(context.sequelize, statement, [
      server.id,
      wipe === "all" ? null : wipe,
      stat,
      server.ignoreStaff,
      limit,
      offset,
    ]),
    firstTitles(server.id, context),
  ]);
  const [first] = found;
  const entries = found.flatMap(({ rank, steamId, name, value }) =>
    steamId === null ? [] : [{ rank, steamId, name, value, ...titles.get(steamId) }],
  );
  return { wipe, entries, total: first?.total ?? 0, updatedAt: first?.updatedAt ?? null };
}

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

interface Row extends Omit<LeaderboardEntry, "steamId" | "title"> {
  /** Null in the one row of a page beyond the last. */
  readonly steamId: LeaderboardEntry["steamId"] | null;
  readonly total: number;
  readonly updatedAt: Date | null;
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

/** When the figure was reached: a sum with its last part, the greatest value with itself. */
const reachedAt = {
  sum: "max(score.reached_at)",
  max: "(array_agg(score.reached_at order by score.value desc, score.reached_at))[1]",
} as const;

const statementOf = (aggregate: "sum" | "max"): string => `
  with scores as (
    select score.steam_id, ${aggregate}(score.value)::bigint as value,
      ${reachedAt[aggregate]} as reached_at,
      max(score.reached_at) as updated_at
    from survival_scores score
    join survival_wipes wipe on wipe.id = score.wipe_id
    join survival_tallies tally on tally.wipe_id = score.wipe_id and tally.steam_id = score.steam_id
    where wipe.server_id = $1 and ($2::integer is null or wipe.id = $2) and score.stat = $3
      and ${countsSql("tally.is_staff", "$4")}
    group by score.steam_id
  ), page as (
    select steam_id, value, rank() over (order by value desc)::integer as rank, reached_at
    from scores order by value desc, reached_at, steam_id limit $5 offset $6
  )
  select page.rank, page.steam_id as "steamId", player.name, page.value,
    counted.total, counted.updated_at as "updatedAt"
  from (select count(*)::integer as total, max(updated_at) as updated_at from scores) counted
  left join page on true
  left join survival_sightings player
    on player.server_id = $1 and player.steam_id = page.steam_id
  order by page.value desc, page.reached_at, page.steam_id`;

const statements = { sum: statementOf("sum"), max: statementOf("max") };
