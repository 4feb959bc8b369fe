import {
  count,
  exactText,
  flag,
  integer,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { staffKind } from "./kind.ts";

const identity = { serial: serial(), name: maybe(text()), acct: maybe(exactText()) };
const change = {
  serial: serial(),
  name: maybe(text()),
  old: maybe(integer()),
  new: maybe(integer()),
};
const made = { serial: maybe(serial()), name: maybe(text()), type: text(), amount: maybe(count()) };

/** A character's life and progress. */
export const characterKinds = {
  "character.created": staffKind(
    shape({
      ...identity,
      race: maybe(text()),
      female: maybe(flag()),
      profession: maybe(integer()),
      str: maybe(count()),
      dex: maybe(count()),
      int: maybe(count()),
    }),
  ),
  "character.deleted": staffKind(
    shape({ ...identity, serial: maybe(serial()), index: maybe(count()) }),
  ),
  "character.renamed": staffKind(
    shape({ serial: serial(), acct: maybe(exactText()), old: maybe(text()), new: text() }),
  ),
  "skill.gain": staffKind(
    shape({
      serial: serial(),
      name: maybe(text()),
      skill: text(),
      base: count(),
      delta: maybe(integer()),
      cap: maybe(count()),
    }),
  ),
  "stat.cap": staffKind(shape(change)),
  fame: staffKind(shape(change)),
  karma: staffKind(shape(change)),
  virtue: staffKind(shape({ ...change, virtue: maybe(text()) })),
  "quest.complete": staffKind(
    shape({ serial: serial(), name: maybe(text()), quest: maybe(text()), type: maybe(text()) }),
  ),
  tame: staffKind(shape({ serial: maybe(serial()), name: maybe(text()), type: text() })),
  craft: staffKind(shape(made)),
  harvest: staffKind(shape(made)),
  bod: staffKind(shape({ serial: maybe(serial()), name: maybe(text()), type: maybe(text()) })),
};
