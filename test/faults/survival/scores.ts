import { countedStats } from "../../../shared/survival/kinds/stat-names.ts";
import type { LoggedEvent } from "../shard.ts";

interface Tally {
  readonly steamId: string;
  readonly stats: Readonly<Record<string, number>>;
  readonly playtimeSec: number;
}

interface Bounds {
  /** The highest values that the service has certainly stored. */
  readonly least: ReadonlyMap<string, number>;
  /** The highest values that the game sent. */
  readonly most: ReadonlyMap<string, number>;
}

interface WorldEpoch {
  readonly saveId: number;
  /** The epoch of the buffer that the service read. A lost buffer loses its values too. */
  readonly epoch: string;
}

/**
 * Calculates the lowest and the highest possible scores of a world from the game's events, by player and stat.
 */
export function findBoundsOfScores(
  log: readonly LoggedEvent[],
  { saveId, epoch }: WorldEpoch,
): Bounds {
  const [least, most] = [new Map<string, number>(), new Map<string, number>()];
  for (const event of log) {
    if (event.kind !== "player.tally" || event.payload["saveId"] !== saveId) continue;
    const tallies = event.payload["tallies"] as readonly Tally[];
    raise(most, tallies);
    if (event.stored && event.epoch === epoch) raise(least, tallies);
  }
  return { least, most };
}

function raise(scores: Map<string, number>, tallies: readonly Tally[]): void {
  for (const { steamId, stats, playtimeSec } of tallies) {
    const figures = [
      ...countedStats.map((stat) => [stat, stats[stat] ?? 0] as const),
      ["playtime", playtimeSec] as const,
    ];
    for (const [stat, value] of figures) {
      const key = `${steamId} ${stat}`;
      if (value > (scores.get(key) ?? 0)) scores.set(key, value);
    }
  }
}

/** Returns the scores outside the limits, as short texts. */
export function findOutOfBounds(
  scores: ReadonlyMap<string, number>,
  { least, most }: Bounds,
): string[] {
  return [...most].flatMap(([key, high]) => {
    const [value, low] = [scores.get(key) ?? 0, least.get(key) ?? 0];
    return value < low || value > high ? [`${key} is ${value}, not ${low} to ${high}`] : [];
  });
}
