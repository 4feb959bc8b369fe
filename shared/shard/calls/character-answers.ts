import Joi from "joi";

import { field } from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import {
  count,
  flag,
  listOf,
  numbersByName,
  text,
  textOrNull,
  integerField,
} from "./answer-parts.ts";

export interface RosterLine {
  readonly serial: string;
  readonly name: string;
  readonly race: string | null;
  readonly female: boolean;
  readonly guild: string | null;
  readonly map: string | null;
  readonly online: boolean;
  readonly lastLogin: number | null;
}

export interface Roster {
  readonly account: string;
  readonly characters: RosterLine[];
}

interface VendorLocation {
  readonly map: string;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** The region of the vendor. Some plugins omit it. */
  readonly region?: string | null | undefined;
  readonly house?: string | null | undefined;
}

/** A vendor with the details that only its owner may see. `items` is a number or a list. */
export interface OwnVendor {
  readonly serial: string;
  readonly shopName: string | null;
  readonly location: VendorLocation | null;
  readonly gold: number;
  /** Null if the vendor takes a commission instead. */
  readonly chargePerDay: number | null;
  readonly items: number | object[];
}

export interface OwnVendors {
  readonly account: string;
  readonly vendors: OwnVendor[];
}

export interface Skill {
  readonly name: string;
  readonly value: number;
  readonly cap: number;
  readonly lock: string;
}

export interface WornItem {
  readonly layer: string;
  readonly itemId: number;
  readonly hue: number;
  readonly name: string | null;
  readonly cliloc: number | null;
}

export interface CharacterSheet {
  readonly serial: string;
  readonly name: string;
  readonly account: string;
  readonly title: string | null;
  readonly race: string | null;
  readonly female: boolean;
  readonly stats: Record<string, number>;
  readonly resists: Record<string, number>;
  readonly skills: Skill[];
  readonly fame: number;
  readonly karma: number;
  readonly kills: number;
  readonly guild: string | null;
  readonly virtues: Record<string, number>;
  readonly equipment: WornItem[];
}

const account = field(text, "Name of the game account, as the game spells it.");
const race = field(textOrNull, "Race, such as `Human`, `Elf` or `Gargoyle`.");
const female = field(flag, "Whether the character is female.");
const character = {
  serial: field(serialField(), "Serial of the character."),
  name: field(text, "Name of the character."),
};

const rosterLine = Joi.object<RosterLine, true>({
  ...character,
  race,
  female,
  guild: field(textOrNull, "Name of the character's guild. Null if the character has no guild."),
  map: field(
    textOrNull,
    "Name of the facet on which the character is. Null if the character is not in the world.",
  ),
  online: field(flag, "Whether the character is in the world."),
  lastLogin: field(
    count.allow(null),
    "When the character last entered the world, in epoch milliseconds. Null for never.",
  ),
});

export const rosterAnswer = Joi.object<Roster, true>({
  account,
  characters: field(listOf(rosterLine), "Characters of the account."),
});

const location = Joi.object<VendorLocation>({
  map: field(text, "Name of the facet."),
  x: field(integerField, "Coordinate in tiles, from west to east."),
  y: field(integerField, "Coordinate in tiles, from north to south."),
  z: field(integerField, "Height."),
  region: field(
    textOrNull.optional(),
    "Name of the innermost named region that contains the vendor. Null if no named region " +
      "contains it.",
  ),
  house: field(
    textOrNull.optional(),
    "Text on the sign of the house in which the vendor stands. Null if the vendor is in no house.",
  ),
});

const ownVendor = Joi.object<OwnVendor>({
  serial: field(serialField(), "Serial of the vendor."),
  shopName: field(textOrNull, "Name of the shop. Null if the shop has no name."),
  location: field(location.allow(null), "Place of the vendor. Null if unknown."),
  gold: field(integerField, "Amount of gold that the vendor holds."),
  chargePerDay: field(
    Joi.number().allow(null),
    "Amount of gold that the vendor costs per day. Null for a vendor that takes a commission " +
      "instead.",
  ),
  items: field(
    Joi.alternatives(count, listOf(Joi.object().unknown())),
    "Items of the vendor: either their number, or a list of objects.",
  ),
});

export const vendorsAnswer = Joi.object<OwnVendors, true>({
  account,
  vendors: field(listOf(ownVendor), "Player vendors of the account's characters."),
});

const skill = Joi.object<Skill, true>({
  name: field(text, "Name of the skill."),
  value: field(Joi.number(), "Value of the skill, in tenths of a point."),
  cap: field(Joi.number(), "Maximum value of the skill, in tenths of a point."),
  lock: field(
    text,
    "Direction in which the skill may change: `Up` (it can rise), `Down` (it can fall) or " +
      "`Locked` (neither).",
  ),
});

const wornItem = Joi.object<WornItem, true>({
  layer: field(text, "Place on the body where the item is worn."),
  itemId: field(integerField, "Id of the item's graphic in the game client."),
  hue: field(integerField, "Color number (hue) of the item."),
  name: field(
    textOrNull,
    "Name that was given to this item. Null if the item has no name of its own.",
  ),
  cliloc: field(
    integerField.allow(null),
    "Number of the client text (cliloc) that names the item. Null if unknown.",
  ),
});

export const characterAnswer = Joi.object<CharacterSheet, true>({
  ...character,
  account,
  title: field(textOrNull, "Title of the character. Null if the character has no title."),
  race,
  female,
  stats: field(
    numbersByName,
    "Value of each stat, by the name of the stat, such as `str`, `hits` and `statCap`.",
  ),
  resists: field(
    numbersByName,
    "Resistance to each type of damage in percent, by the name of the type.",
  ),
  skills: field(listOf(skill), "Skills of the character."),
  fame: field(integerField, "Fame of the character."),
  karma: field(integerField, "Karma of the character."),
  kills: field(integerField, "Number of murders that the character has committed."),
  guild: field(textOrNull, "Name of the character's guild. Null if the character has no guild."),
  virtues: field(numbersByName, "Points of each virtue, by the name of the virtue."),
  equipment: field(listOf(wornItem), "Items that the character wears."),
});

const maple = { serial: "0x0000A001", name: "D'Artagnan" };

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
