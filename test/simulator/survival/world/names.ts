import type { RandomSource } from "../../random.ts";

/** Names that break simple code for markup, sorting, widths, keys and lower case. */
export const awkwardNames = [
  "<color=#ff0000>Red</color> Baron",
  "<size=60><b>BIG</b></size>",
  "\u202Egnirts desrever\u202C",
  "🔥👩‍👩‍👧 fire",
  "",
  "[VIP] Wanderer",
  "zero\u200Bwidth\u200D",
  "Zoe\u0308",
  "O'Neil; DROP TABLE",
  "constructor",
  "__proto__",
  "   ",
  "x".repeat(90),
  "İstanbul ß ﬁ",
  "<script>alert(1)</script>",
  "{{name}} ${name} %s",
];

const starts = ["Rusty", "Iron", "Silent", "Mad", "Lucky", "Salty", "Tired", "Grim", "Swift"];
const ends = ["Fox", "Badger", "Farmer", "Raider", "Naked", "Builder", "Wolf", "Miner", "Hermit"];

/** Returns the nth name of a world. The awkward names come first. */
export const playerName = (index: number, random: RandomSource): string =>
  awkwardNames[index] ?? `${random.pick(starts)}${random.pick(ends)}${random.int(1, 99)}`;

/** Returns a Steam id. It has 17 digits, which a JavaScript number cannot hold exactly. */
export const steamIdOf = (index: number): string => `7656119${8_012_345_600 + index * 7}`;

export const clanName = (index: number, random: RandomSource): string =>
  ["<b>Bold</b> Clan", "Ⅷ Legion", "a", "Wolves 🐺"][index] ??
  `${random.pick(["Order", "House", "Sons", "Crew"])} of ${random.pick(starts)} ${index}`;
