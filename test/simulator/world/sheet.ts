import { createRandom } from "../random.ts";
import { itemHue, itemKinds, nameClilocOf } from "./items.ts";
import type { Character } from "./people.ts";
import { skillNames } from "./skills.ts";
import type { ShardWorld } from "./world.ts";

const virtues = "Humility Sacrifice Compassion Spirituality Valor Honor Justice Honesty".split(" ");
const layers = ["OneHanded", "Shoes", "Pants", "Shirt", "Helm", "Gloves", "Ring", "Neck", "Cloak"];
const resistances = ["physical", "fire", "cold", "poison", "energy"];

const guildName = (character: Character, world: ShardWorld): string | null =>
  character.guildId === null ? null : (world.guilds.get(character.guildId)?.name ?? null);

export const rosterRow = (character: Character, world: ShardWorld): Record<string, unknown> => ({
  serial: character.serial,
  name: character.name,
  race: character.race,
  female: character.female,
  guild: guildName(character, world),
  map: character.onlineSince === null ? null : character.place.map,
  online: character.onlineSince !== null,
  lastLogin: character.lastLogin,
});

/**
 * Returns the complete sheet of a character. Its equipment is derived from the serial, so it never
 * changes.
 */
export function characterSheet(character: Character, world: ShardWorld): Record<string, unknown> {
  const random = createRandom(character.serial);
  return {
    serial: character.serial,
    name: character.name,
    account: character.account.name,
    title: random.chance(0.3) ? "the Grandmaster Smith" : null,
    race: character.race,
    female: character.female,
    stats: statsOf(character),
    resists: Object.fromEntries(resistances.map((name) => [name, random.int(-10, 75)])),
    skills: skillNames.map((name) => ({
      name,
      value: character.skills.get(name) ?? 0,
      cap: random.chance(0.1) ? 1_200 : 1_000,
      lock: random.pick(["Up", "Down", "Locked"]),
    })),
    fame: character.fame,
    karma: character.karma,
    kills: character.kills,
    guild: guildName(character, world),
    virtues: Object.fromEntries(virtues.map((name) => [name, random.int(0, 21_000)])),
    equipment: layers.map((layer) => {
      const kind = random.pick(itemKinds);
      const name = random.chance(0.1) ? "Widow's <Edge>" : null;
      return { layer, itemId: kind.itemId, hue: itemHue(random), name, cliloc: nameClilocOf(kind) };
    }),
  };
}

function statsOf(character: Character): Record<string, number> {
  const { str, dex, int } = character.stats;
  const hits = 50 + Math.floor(str / 2);
  return {
    ...character.stats,
    hits,
    hitsMax: hits,
    stam: dex,
    stamMax: dex,
    mana: int,
    manaMax: int,
    statCap: character.statCap,
  };
}
