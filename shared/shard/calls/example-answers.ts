import type { CharacterSheet, OwnVendors, Roster } from "./character-answers.ts";

const maple = { serial: "0x0000A001", name: "D'Artagnan" };

/** The characters of an account. */
export const rosterExample: Roster = {
  account: "maple",
  characters: [
    {
      ...maple,
      race: "Human",
      female: false,
      guild: "The Iron Hall",
      map: "Malas",
      online: true,
      lastLogin: 1_764_200_000_000,
    },
  ],
};

/** The vendors of an account. */
export const vendorsExample: OwnVendors = {
  account: "maple",
  vendors: [
    {
      serial: "0x00012F3A",
      shopName: "Iron & Oak",
      location: { map: "Malas", x: 990, y: 527, z: -50, region: "Luna", house: "The Iron Hall" },
      gold: 48_000,
      chargePerDay: 600,
      items: 42,
    },
  ],
};

/** The sheet of a character. */
export const characterExample: CharacterSheet = {
  ...maple,
  account: "maple",
  title: "the Grandmaster Smith",
  race: "Human",
  female: false,
  stats: { str: 100, dex: 80, int: 45, hits: 100, hitsMax: 100, statCap: 225 },
  resists: { physical: 70, fire: 65, cold: 70, poison: 60, energy: 55 },
  skills: [{ name: "Blacksmith", value: 1_000, cap: 1_200, lock: "Up" }],
  fame: 15_000,
  karma: -300,
  kills: 0,
  guild: "The Iron Hall",
  virtues: { Valor: 2 },
  equipment: [{ layer: "OneHanded", itemId: 3_922, hue: 0, name: null, cliloc: 1_023_922 }],
};
