/** The counters by which players are ranked, as the plugin counts them in one save. */
export const stats = [
  "playersKilled",
  "headshots",
  "meleeKills",
  "bladeKills",
  "arrowKills",
  "revolverKills",
  "pvpKillDistance",
  "pveKillDistance",
  "npcKills",
  "animalKills",
  "helicopterKills",
  "apcKills",
  "explosivesThrown",
  "rocketsFired",
  "structuresBuilt",
  "structuresRepaired",
  "woodGathered",
  "rocksGathered",
  "plantsGathered",
  "clothesCrafted",
  "weaponsCrafted",
  "playersHealed",
  "questsCompleted",
] as const;

export type Stat = (typeof stats)[number];
export type Stats = Record<Stat, number>;

/** The counters of a player in a save, as totals. A counter of distances is a maximum. */
export interface Tally {
  readonly stats: Stats;
  playtimeSec: number;
  afkSec: number;
}

export const isStat = (name: string): name is Stat => (stats as readonly string[]).includes(name);

export const emptyTally = (): Tally => ({
  stats: Object.fromEntries(stats.map((stat) => [stat, 0])) as Stats,
  playtimeSec: 0,
  afkSec: 0,
});
