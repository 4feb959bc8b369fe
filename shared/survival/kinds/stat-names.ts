/** Statistics that a game server counts for a player within one world. */
export const countedStats = [
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

export type StatName = (typeof countedStats)[number] | "playtime";

/** Statistics that have a leaderboard. */
export const statNames: readonly StatName[] = [...countedStats, "playtime"];
