import type { StatName } from "../kinds/stat-names.ts";

export interface TitleCategory {
  readonly label: string;
  readonly unit: "count" | "metres" | "seconds";
  /** The way to combine the values of several worlds. */
  readonly aggregate: "sum" | "max";
  /** False for stats that are left out of the ranked list but can be requested. */
  readonly ranked: boolean;
  readonly defaultTitle: string;
}

const counted = (label: string, defaultTitle: string): TitleCategory => ({
  label,
  unit: "count",
  aggregate: "sum",
  ranked: true,
  defaultTitle,
});

const furthest = (label: string, defaultTitle: string): TitleCategory => ({
  ...counted(label, defaultTitle),
  unit: "metres",
  aggregate: "max",
});

/** CATALOGUE of the ranked stats, in list order. */
export const titleCategories: Readonly<Record<StatName, TitleCategory>> = {
  playersKilled: counted("Players killed", "Murderer"),
  headshots: counted("Headshot kills", "Assassin"),
  meleeKills: counted("Melee kills", "Brawler"),
  bladeKills: counted("Blade kills", "Swordsman"),
  arrowKills: counted("Bow kills", "Archer"),
  revolverKills: counted("Revolver kills", "Gunslinger"),
  pvpKillDistance: furthest("Longest player kill", "Sniper"),
  pveKillDistance: furthest("Longest PvE kill", "Deadeye"),
  npcKills: counted("NPC kills", "Bot hunter"),
  animalKills: counted("Animal kills", "Hunter"),
  helicopterKills: counted("Patrol helicopters", "Heli hunter"),
  apcKills: counted("Bradleys", "Tank hunter"),
  explosivesThrown: counted("Explosives thrown", "Bomb tech"),
  rocketsFired: counted("Rockets fired", "Rocketeer"),
  structuresBuilt: counted("Structures built", "Architect"),
  structuresRepaired: counted("Structures repaired", "Handyman"),
  woodGathered: counted("Wood gathered", "Lumberjack"),
  rocksGathered: counted("Ore gathered", "Miner"),
  plantsGathered: counted("Plants gathered", "Harvester"),
  clothesCrafted: counted("Clothing crafted", "Tailor"),
  weaponsCrafted: counted("Weapons crafted", "Gunsmith"),
  playersHealed: counted("Players healed", "Medic"),
  questsCompleted: counted("Quests completed", "Adventurer"),
  playtime: {
    label: "Time played",
    unit: "seconds",
    aggregate: "sum",
    ranked: false,
    defaultTitle: "Veteran",
  },
};

export const statNames = Object.keys(titleCategories) as readonly StatName[];

export const isStat = (name: string): name is StatName => Object.hasOwn(titleCategories, name);

const longestTitle = 32;

/** Cleans a title for chat. Markup in it would also style other players' messages. */
export function cleanTitle(text: string): string {
  const line = text
    .slice(0, 1_024)
    .normalize("NFC")
    .replaceAll(/[[\]<>\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .normalize("NFC")
    .trim();
  return Array.from(line).slice(0, longestTitle).join("").trim();
}

/** Returns a category's title as written by staff; if that is empty, the default. */
export const titleOf = (stat: StatName, written: string | null | undefined): string =>
  cleanTitle(written ?? "") || titleCategories[stat].defaultTitle;
