import { createRandom } from "../random.ts";
import { bag, itemKinds, nameClilocOf } from "../world/items.ts";
import { skillCliloc, skillNames } from "../world/skills.ts";
import { pagedSource } from "./source.ts";
import type { PagedSource } from "./source.ts";

export type Cliloc = readonly [number: number, text: string];

const decayTexts = ["ageless", "like new", "slightly worn", "somewhat worn", "fairly worn"];

/** Texts that payloads of the world use, and texts that break simple parsers. */
const fixed: readonly Cliloc[] = [
  [500_000, "First of all."],
  [1_041_361, "a bank check"],
  [1_042_971, "~1_NOTHING~"],
  ...decayTexts.map((text, index): Cliloc => [1_043_009 + index, `This structure is ${text}.`]),
  [1_043_014, "This structure is greatly worn."],
  [1_043_015, "This structure is in danger of collapsing."],
  ...skillNames.map((name, index): Cliloc => [skillCliloc(index), name]),
  ...["105", "110", "115", "120"].map((level, index): Cliloc => [
    1_049_639 + index,
    `a wondrous scroll of ~1_type~ (${level} Skill)`,
  ]),
  [1_050_039, "~1_NUMBER~ ~2_ITEMNAME~"],
  [1_062_028, "Condition: ~1_CONDITION~"],
  [1_095_163, "Gargoyle Queen"],
  [1_151_673, "Dungeon Crystal Points"],
  [1_152_733, "Dungeon Battle Reward Points"],
  [1_152_965, "~1_NAME is not closed"],
  [1_153_485, "Casino"],
  [1_154_070, "~1~ by <b>~2_PLAYER NAME~</b>\tof ~3_AMOUNT!~"],
  [1_157_067, "A long tale. ".repeat(930)],
  [3_000_000, "   "],
  [3_000_001, "“Curly” quotes – and more…"],
];

/** Creates the texts of a client. Nearly half of them are blank, as in real clients. */
export const createClilocs = (seed: string, count: number): PagedSource<Cliloc> =>
  pagedSource(`${seed} clilocs ${count}`, (version) => makeClilocs(seed, count, version));

function makeClilocs(seed: string, count: number, version: number): Cliloc[] {
  const random = createRandom(`${seed}/clilocs/${version}`);
  const texts = new Map<number, string>(fixed);
  for (const kind of [...itemKinds, bag]) texts.set(nameClilocOf(kind), kind.text);
  for (let number = 500_001; texts.size < count; number++) {
    if (texts.has(number)) continue;
    texts.set(number, random.chance(0.48) ? "" : `Line ${number} of the client's table.`);
  }
  if (version > 0) texts.set(500_000, `First of all, version ${version}.`);
  return [...texts].toSorted(([one], [other]) => one - other);
}
