import {
  count,
  verbatimText,
  field,
  flag,
  integer,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import { mapleCharacter } from "./fields.ts";
import { defineStaffKind } from "./kind.ts";

const owner = field(serialField(), "Serial of the character.");
const name = field(nullish(text()), "Name of the character.");
const acct = field(nullish(verbatimText()), "Name of the character's game account.");

const identity = { serial: owner, name, acct };
const change = {
  serial: owner,
  name,
  old: field(nullish(integer()), "Value before the change."),
  new: field(nullish(integer()), "Value after the change."),
};
const anyone = { serial: field(nullish(serialField()), "Serial of the character."), name };
const amount = field(nullish(count()), "Number of items.");

export const characterKinds = {
  "character.created": defineStaffKind(
    objectSchema({
      ...identity,
      race: field(nullish(text()), "Race, such as `Human`, `Elf` or `Gargoyle`."),
      female: field(nullish(flag()), "Whether the character is female."),
      profession: field(
        nullish(integer()),
        "Number of the character's profession in the game client.",
      ),
      str: field(nullish(count()), "Strength of the character."),
      dex: field(nullish(count()), "Dexterity of the character."),
      int: field(nullish(count()), "Intelligence of the character."),
    }),
    {
      about: "A character was created.",
      example: {
        ...mapleCharacter,
        acct: "maple",
        race: "Elf",
        female: true,
        profession: 1,
        str: 45,
        dex: 35,
        int: 10,
      },
    },
  ),
  "character.deleted": defineStaffKind(
    objectSchema({
      ...identity,
      serial: field(
        nullish(serialField()),
        "Serial of the character. Null if the game does not report it.",
      ),
      index: field(
        nullish(count()),
        "Position of the character in the account's list of characters. The first position is 0.",
      ),
    }),
    { about: "A character was deleted.", example: { acct: "maple", index: 2 } },
  ),
  "character.renamed": defineStaffKind(
    objectSchema({
      serial: owner,
      acct,
      old: field(nullish(text()), "Previous name of the character."),
      new: field(text(), "New name of the character."),
    }),
    {
      about: "A character received another name.",
      example: {
        serial: mapleCharacter.serial,
        acct: "maple",
        old: "Dartagnan",
        new: mapleCharacter.name,
      },
    },
  ),
  "skill.gain": defineStaffKind(
    objectSchema({
      serial: owner,
      name,
      skill: field(text(), "Name of the skill, such as `Blacksmith`."),
      base: field(count(), "New value of the skill, in tenths of a point."),
      delta: field(nullish(integer()), "Amount by which the skill rose, in tenths of a point."),
      cap: field(nullish(count()), "Maximum value of the skill, in tenths of a point."),
    }),
    {
      about:
        "A skill of a character reached one of these values: 50, 70, 90, 100, 110 or 120 points.",
      example: { ...mapleCharacter, skill: "Blacksmith", base: 1_000, delta: 1, cap: 1_200 },
    },
  ),
  "stat.cap": defineStaffKind(objectSchema(change), {
    about: "The maximum of a character's strength, dexterity and intelligence together changed.",
    example: { ...mapleCharacter, old: 225, new: 230 },
  }),
  fame: defineStaffKind(objectSchema(change), {
    about: "A character's fame changed.",
    example: { ...mapleCharacter, old: 14_900, new: 15_000 },
  }),
  karma: defineStaffKind(objectSchema(change), {
    about: "A character's karma changed.",
    example: { ...mapleCharacter, old: -100, new: -300 },
  }),
  virtue: defineStaffKind(
    objectSchema({
      ...change,
      virtue: field(nullish(text()), "Name of the virtue, such as `Valor`."),
    }),
    {
      about: "The level of one of a character's virtues changed.",
      example: { ...mapleCharacter, virtue: "Valor", old: 1, new: 2 },
    },
  ),
  "quest.complete": defineStaffKind(
    objectSchema({
      serial: owner,
      name,
      quest: field(nullish(text()), "Title of the quest."),
      type: field(nullish(text()), "Type of the quest in the game."),
    }),
    {
      about: "A character completed a quest.",
      example: { ...mapleCharacter, quest: "The Iron Trail", type: "IronTrailQuest" },
    },
  ),
  tame: defineStaffKind(
    objectSchema({ ...anyone, type: field(text(), "Type of the creature, such as `Nightmare`.") }),
    { about: "A character tamed a creature.", example: { ...mapleCharacter, type: "Nightmare" } },
  ),
  craft: defineStaffKind(
    objectSchema({
      ...anyone,
      type: field(text(), "Type of the item, such as `Runebook`."),
      amount,
    }),
    {
      about: "A character crafted an item.",
      example: { ...mapleCharacter, type: "Runebook", amount: 1 },
    },
  ),
  harvest: defineStaffKind(
    objectSchema({
      ...anyone,
      type: field(text(), "Type of the resource, such as `IronOre`."),
      amount,
    }),
    {
      about: "A character gathered a resource.",
      example: { ...mapleCharacter, type: "IronOre", amount: 12 },
    },
  ),
  bod: defineStaffKind(
    objectSchema({
      ...anyone,
      type: field(nullish(text()), "Type of the bulk order, such as `SmallSmithBOD`."),
    }),
    {
      about: "A character received or completed a bulk order.",
      example: { ...mapleCharacter, type: "SmallSmithBOD" },
    },
  ),
};
