import { countedStats } from "../../../shared/survival/kinds/stat-names.ts";
import type { LoggedEvent } from "../shard.ts";

interface Tally {
  readonly steamId: string;
  readonly stats: Readonly<Record<string, number>>;
  readonly playtimeSec: number;
}

interface Bounds {
  /** The highest of what was surely taken in. */
  readonly least: ReadonlyMap<string, number>;
  /** The highest of all that was told. */
  readonly most: ReadonlyMap<string, number>;
}

interface Standing {
  readonly saveId: number;
  /** Of the buffer that is followed: what another one held may have been lost with it. */
  readonly epoch: string;
}

/** Figures of a world by player and stat, as the game told of them. */
export function findBoundsOfScores(
  log: readonly LoggedEvent[],
  { saveId, epoch }: Standing,
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

/** @returns what is out of bounds, in a few words each */
export function findOutOfBounds(
  scores: ReadonlyMap<string, number>,
  { least, most }: Bounds,
): string[] {
  return [...most].flatMap(([key, high]) => {
    const [value, low] = [scores.get(key) ?? 0, least.get(key) ?? 0];
    return value < low || value > high ? [`${key} is ${value}, not ${low} to ${high}`] : [];
  });
}
