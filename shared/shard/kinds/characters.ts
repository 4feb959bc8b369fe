import {
  count,
  exactText,
  field,
  flag,
  integer,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { maple } from "./example-world.ts";
import { staffKind } from "./kind.ts";

const owner = field(serial(), "Serial of the character.");
const name = field(maybe(text()), "Name of the character.");
const acct = field(maybe(exactText()), "Game account of the character.");

const identity = { serial: owner, name, acct };
const change = {
  serial: owner,
  name,
  old: field(maybe(integer()), "Value before."),
  new: field(maybe(integer()), "Value now."),
};
const anyone = { serial: field(maybe(serial()), "Serial of the character."), name };
const amount = field(maybe(count()), "How many.");

/** A character's life and progress. */
export const characterKinds = {
  "character.created": staffKind(
    shape({
      ...identity,
      race: field(maybe(text()), "Race, such as `Human`, `Elf` or `Gargoyle`."),
      female: field(maybe(flag()), "Whether the character is female."),
      profession: field(maybe(integer()), "Number of the profession in the game client."),
      str: field(maybe(count()), "Strength."),
      dex: field(maybe(count()), "Dexterity."),
      int: field(maybe(count()), "Intelligence."),
    }),
    {
      about: "A character was created.",
      example: {
        ...maple,
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
  "character.deleted": staffKind(
    shape({
      ...identity,
      serial: field(maybe(serial()), "Serial of the character. Null if the game does not tell it."),
      index: field(maybe(count()), "Place of the character in the account's list, from 0."),
    }),
    { about: "A character was deleted.", example: { acct: "maple", index: 2 } },
  ),
  "character.renamed": staffKind(
    shape({
      serial: owner,
      acct,
      old: field(maybe(text()), "Name before."),
      new: field(text(), "Name now."),
    }),
    {
      about: "A character got another name.",
      example: { serial: maple.serial, acct: "maple", old: "Dartagnan", new: maple.name },
    },
  ),
  "skill.gain": staffKind(
    shape({
      serial: owner,
      name,
      skill: field(text(), "Name of the skill, such as `Blacksmith`."),
      base: field(count(), "Value of the skill in tenths of a point."),
      delta: field(maybe(integer()), "How much the skill rose, in tenths of a point."),
      cap: field(maybe(count()), "Upper limit of the skill in tenths of a point."),
    }),
    {
      about: "A skill reached a round value: 50, 70, 90, 100, 110 or 120 points.",
      example: { ...maple, skill: "Blacksmith", base: 1_000, delta: 1, cap: 1_200 },
    },
  ),
  "stat.cap": staffKind(shape(change), {
    about: "The limit of a character's stats changed.",
    example: { ...maple, old: 225, new: 230 },
  }),
  fame: staffKind(shape(change), {
    about: "A character's fame changed.",
    example: { ...maple, old: 14_900, new: 15_000 },
  }),
  karma: staffKind(shape(change), {
    about: "A character's karma changed.",
    example: { ...maple, old: -100, new: -300 },
  }),
  virtue: staffKind(
    shape({ ...change, virtue: field(maybe(text()), "Name of the virtue, such as `Valor`.") }),
    {
      about: "A character reached another level of a virtue.",
      example: { ...maple, virtue: "Valor", old: 1, new: 2 },
    },
  ),
  "quest.complete": staffKind(
    shape({
      serial: owner,
      name,
      quest: field(maybe(text()), "Title of the quest."),
      type: field(maybe(text()), "Type of the quest in the game."),
    }),
    {
      about: "A character completed a quest.",
      example: { ...maple, quest: "The Iron Trail", type: "IronTrailQuest" },
    },
  ),
  tame: staffKind(
    shape({ ...anyone, type: field(text(), "Type of the creature, such as `Nightmare`.") }),
    { about: "A character tamed a creature.", example: { ...maple, type: "Nightmare" } },
  ),
  craft: staffKind(
    shape({ ...anyone, type: field(text(), "Type of the item, such as `Runebook`."), amount }),
    { about: "A character crafted an item.", example: { ...maple, type: "Runebook", amount: 1 } },
  ),
  harvest: staffKind(
    shape({ ...anyone, type: field(text(), "Type of the resource, such as `IronOre`."), amount }),
    {
      about: "A character gathered a resource.",
      example: { ...maple, type: "IronOre", amount: 12 },
    },
  ),
  bod: staffKind(
    shape({ ...anyone, type: field(maybe(text()), "Type of the order, such as `SmallSmithBOD`.") }),
    {
      about: "A character got or filled a bulk order.",
      example: { ...maple, type: "SmallSmithBOD" },
    },
  ),
};
