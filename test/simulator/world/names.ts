import type { RandomSource } from "../random.ts";

const starts = ["Al", "Bran", "Ca", "Dor", "El", "Fen", "Gar", "Hal", "Is", "Jor", "Kel", "Lor"];
const middles = ["a", "e", "i", "o", "an", "en", "ar", "or", "il", "eth", "ul", ""];
const ends = ["dric", "wyn", "mir", "th", "gard", "lia", "na", "ric", "dan", "ra", "bert", "os"];

/** Names that break simple code for quoting, splitting, sorting and lower case. */
const awkwardNames = ["D'Artagnan", "O'Neil", "Jean-Luc", "St. John", "a", "Ilan", "constructor"];

/** Returns the nth name of a world. The awkward names come first, and one of them occurs twice. */
export function characterName(index: number, random: RandomSource): string {
  if (index === awkwardNames.length) return awkwardNames[0] as string;
  return awkwardNames[index] ?? random.pick(starts) + random.pick(middles) + random.pick(ends);
}

const awkwardShops: readonly (string | null)[] = [
  "Iron & Oak",
  "<b>Deals</b>",
  'Bob\'s "Best"',
  "Shop Not Yet Named",
  null,
  "Öl & Käse 100%",
];

const wares = ["Blades", "Reagents", "Scrolls", "Gems", "Armour", "Oddments", "Runes", "Robes"];

/**
 * Returns the name of a shop. It has at most 20 characters, which is the limit of the game. Null
 * means that it was never set.
 */
export function shopName(index: number, random: RandomSource): string | null {
  const awkward = awkwardShops[index];
  if (awkward !== undefined) return awkward;
  return `${random.pick(starts)}${random.pick(ends)}'s ${random.pick(wares)}`.slice(0, 20);
}

const awkwardHouses: readonly (string | null)[] = [null, "An Unnamed House", "<Keep> of O'Neil"];

export function houseName(index: number, random: RandomSource): string | null {
  const awkward = awkwardHouses[index];
  if (awkward !== undefined) return awkward;
  if (random.chance(0.3)) return random.chance(0.5) ? null : "An Unnamed House";
  return `${random.pick(starts)}${random.pick(ends)} ${random.pick(["Hall", "Keep", "Rest"])}`;
}

export const guildName = (random: RandomSource): string =>
  `${random.pick(["Order", "Knights", "Company", "Brotherhood", "Friends"])} of ${random.pick(starts)}${random.pick(ends)}`;
