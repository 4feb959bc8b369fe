import {
  count,
  exactText,
  field,
  flag,
  integer,
  maybe,
  shape,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serial } from "../../platform/bridge/serial.ts";
import { maple } from "./fields.ts";
import { staffKind } from "./kind.ts";

const owner = field(serial(), "Serial of the character.");
const name = field(maybe(text()), "Name of the character.");
const acct = field(maybe(exactText()), "Name of the character's game account.");

const identity = { serial: owner, name, acct };
const change = {
  serial: owner,
  name,
  old: field(maybe(integer()), "Value before the change."),
  new: field(maybe(integer()), "Value after the change."),
};
const anyone = { serial: field(maybe(serial()), "Serial of the character."), name };
const amount = field(maybe(count()), "Number of items.");

export const characterKinds = {
  "character.created": staffKind(
    shape({
      ...identity,
      race: field(maybe(text()), "Race, such as `Human`, `Elf` or `Gargoyle`."),
      female: field(maybe(flag()), "Whether the character is female."),
      profession: field(
        maybe(integer()),
        "Number of the character's profession in the game client.",
      ),
      str: field(maybe(count()), "Strength of the character."),
      dex: field(maybe(count()), "Dexterity of the character."),
      int: field(maybe(count()), "Intelligence of the character."),
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
      serial: field(
        maybe(serial()),
        "Serial of the character. Null if the game does not report it.",
      ),
      index: field(
        maybe(count()),
        "Position of the character in the account's list of characters. The first position is 0.",
      ),
    }),
    { about: "A character was deleted.", example: { acct: "maple", index: 2 } },
  ),
  "character.renamed": staffKind(
    shape({
      serial: owner,
      acct,
      old: field(maybe(text()), "Previous name of the character."),
      new: field(text(), "New name of the character."),
    }),
    {
      about: "A character received another name.",
      example: { serial: maple.serial, acct: "maple", old: "Dartagnan", new: maple.name },
    },
  ),
  "skill.gain": staffKind(
    shape({
      serial: owner,
      name,
      skill: field(text(), "Name of the skill, such as `Blacksmith`."),
      base: field(count(), "New value of the skill, in tenths of a point."),
      delta: field(maybe(integer()), "Amount by which the skill rose, in tenths of a point."),
      cap: field(maybe(count()), "Maximum value of the skill, in tenths of a point."),
    }),
    {
      about:
        "A skill of a character reached one of these values: 50, 70, 90, 100, 110 or 120 points.",
      example: { ...maple, skill: "Blacksmith", base: 1_000, delta: 1, cap: 1_200 },
    },
  ),
  "stat.cap": staffKind(shape(change), {
    about: "The maximum of a character's strength, dexterity and intelligence together changed.",
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
      about: "The level of one of a character's virtues changed.",
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
    shape({
      ...anyone,
      type: field(maybe(text()), "Type of the bulk order, such as `SmallSmithBOD`."),
    }),
    {
      about: "A character received or completed a bulk order.",
      example: { ...maple, type: "SmallSmithBOD" },
    },
  ),
};
