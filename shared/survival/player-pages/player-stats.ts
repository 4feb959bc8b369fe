import type { Context } from "../../platform/context.ts";
import { type StatName, statNames } from "../kinds/stat-names.ts";
import { scoreFigures } from "../standings/figures.ts";
import { type RankedPlayer, readRanks } from "../standings/read-ranks.ts";
import { titleCategories } from "../titles/title-categories.ts";
import type { WorldScope } from "../worlds/world-scope.ts";

/** A figure of a player, and its place among all; one who has none has no place. */
export interface RankedFigure {
  readonly value: number;
  readonly rank: number | null;
}

export type PlayerStats = Readonly<Record<StatName, RankedFigure>>;

/**
 * The figures of players in the worlds asked about, by Steam id. What staff did counts on no server
 * that leaves it out, for themselves neither.
 */
export async function readStatsOf(
  steamIds: readonly string[],
  scope: WorldScope,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<ReadonlyMap<string, PlayerStats>> {
  const found = await readRanks(scoreFigures, steamIds, scope, sequelize);
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
