import type { SurvivalScore } from "../../../models/survival/survival-score.ts";
import type { Context } from "../../context.ts";
import { rows } from "../../db/rows.ts";
import { countsSql } from "../tallies/counts.ts";
import { type StatName, statNames } from "../tallies/stat-names.ts";
import { titleCategories } from "../titles/title-categories.ts";
import { isWithinScope, scopeValues, type WorldScope } from "../worlds/world-scope.ts";

/** A figure of a player, and its place among all; one who has none has no place. */
export interface RankedFigure {
  readonly value: number;
  readonly rank: number | null;
}

export type PlayerStats = Readonly<Record<StatName, RankedFigure>>;

interface Row extends Pick<SurvivalScore, "steamId" | "value"> {
  readonly stat: StatName;
  readonly rank: number;
}

/**
 * The figures of players in the worlds asked about, by Steam id. What staff did counts on no server
 * that leaves it out, for themselves neither.
 */
export async function readStatsOf(
  steamIds: readonly string[],
  scope: WorldScope,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<ReadonlyMap<string, PlayerStats>> {
  const found =
    steamIds.length === 0
      ? []
      : await rows<Row>(sequelize, statRows, [...scopeValues(scope), steamIds, furthest]);
  const own = Map.groupBy(found, ({ steamId }) => steamId);
  return new Map(steamIds.map((steamId) => [steamId, statsOf(own.get(steamId) ?? [])]));
}

const furthest = statNames.filter((stat) => titleCategories[stat].aggregate === "max");

function statsOf(found: readonly Row[]): PlayerStats {
  const known = new Map(found.map(({ stat, value, rank }) => [stat, { value, rank }]));
  const none: RankedFigure = { value: 0, rank: null };
  return Object.fromEntries(statNames.map((stat) => [stat, known.get(stat) ?? none])) as Record<
    StatName,
    RankedFigure
  >;
}

/** Only figures that one of them has are compared with everybody's. */
const statRows = `
  with own as (
    select distinct stat from survival_scores where steam_id = any($4::text[])
  ), figures as (
    select score.stat, score.steam_id,
      (case when score.stat = any($5::text[]) then max(score.value) else sum(score.value) end)::bigint
        as value
    from survival_scores score
    join own using (stat)
    join survival_wipes wipe on wipe.id = score.wipe_id
    join survival_servers server on server.id = wipe.server_id
    join survival_tallies tally on tally.wipe_id = score.wipe_id and tally.steam_id = score.steam_id
    where ${isWithinScope} and ${countsSql()}
    group by score.stat, score.steam_id
  ), ranked as (
    select *, rank() over (partition by stat order by value desc)::integer as rank from figures
  )
  select steam_id as "steamId", stat, value, rank from ranked where steam_id = any($4::text[])`;

/** The figures of several accounts of one person as one: distances are the furthest of all. */
export const totalOf = (all: readonly PlayerStats[]): Readonly<Record<StatName, number>> =>
  Object.fromEntries(
    statNames.map((stat) => {
      const values = all.map((stats) => stats[stat].value);
      const isFurthest = titleCategories[stat].aggregate === "max";
      const value = isFurthest ? Math.max(0, ...values) : values.reduce((sum, one) => sum + one, 0);
      return [stat, value];
    }),
  ) as Record<StatName, number>;
