import Joi from "joi";

import {
  verbatimText,
  field,
  integer,
  nullish,
  type FieldSchemas,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import { objectView, plainViews, type FieldView } from "../visibility/view.ts";

/** Epoch milliseconds. The game writes "never" as the year 1, which becomes null. */
export const epochMsField = (): Joi.AnySchema<number | null> =>
  Joi.number<number | null>()
    .integer()
    .max(lastInstant)
    .custom((ms: number) => (ms < 0 ? null : ms), "epoch milliseconds");

export const facetNameDescription =
  "Name of the facet (world map), such as `Felucca`. A shard may define facets of its own.";

/** The location of an object. Shards may add facets; `region` is null outside all regions. */
export const locationFields = {
  map: field(nullish(text()), facetNameDescription),
  x: field(nullish(integer()), "Coordinate in tiles, from west to east."),
  y: field(nullish(integer()), "Coordinate in tiles, from north to south."),
  z: field(nullish(integer()), "Height."),
  region: field(
    nullish(text()),
    "Name of the innermost named region that contains the place. Null if no named region " +
      "contains it.",
  ),
};

const location = () => objectSchema(locationFields);

export const locationView: FieldView = objectView(plainViews("map", "x", "y", "z", "region"));

/** Returns a schema of these fields and a `location`. Plugins may name the location `loc`. */
export const schemaWithLocation = <S extends FieldSchemas>(fields: S) =>
  objectSchema({ ...fields, location: field(nullish(location()), place) }).rename(
    "loc",
    "location",
    {
      ignoreUndefined: true,
      override: true,
    },
  );

const place = "Place of the event. A plugin may name this field `loc` instead.";

export const character = () =>
  objectSchema({
    serial: field(serialField(), "Serial of the character."),
    name: field(nullish(text()), "Name of the character."),
  });

export const characterView: FieldView = objectView(plainViews("serial", "name"));

/** A character and its account. An actor at the server's console has no serial. */
export const accountFields = {
  serial: field(
    nullish(serialField()),
    "Serial of the character. Null for an actor without a character, such as the server's console.",
  ),
  name: field(nullish(text()), "Name of the character."),
  acct: field(nullish(verbatimText()), "Name of the character's game account."),
};

export const accountCharacter = () => objectSchema(accountFields);

/** Converts epoch milliseconds of the bridge to ISO 8601 for the API; returns null for "never". */
export const toIsoTime = (ms: unknown): string | null =>
  typeof ms === "number" && Math.abs(ms) <= lastInstant ? new Date(ms).toISOString() : null;

/** The largest time that a JavaScript date can hold. */
const lastInstant = 8.64e15;

/** The time of the examples. The characters and places below are spelled as in stored events. */
export const exampleTime = 1_764_200_000_000;
export const hourMs = 3_600_000;

export const lunaLocation = { map: "Malas", x: 990, y: 527, z: -50, region: "Luna" };
export const wildernessLocation = { map: "Felucca", x: 2312, y: 1150, z: 0, region: null };

export const mapleCharacter = { serial: "0x0000A001", name: "D'Artagnan" };
export const birchCharacter = { serial: "0x0000A0FF", name: "Mary-Anne" };
