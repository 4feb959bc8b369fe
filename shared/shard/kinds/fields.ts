import Joi from "joi";

import {
  exactText,
  field,
  integer,
  maybe,
  type Schemas,
  shape,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serial } from "../../platform/bridge/serial.ts";
import { lastInstant } from "../values/times.ts";
import { object, plain, type Shown } from "../values/view.ts";

/** Epoch milliseconds; the game writes "never" as the year 1, which becomes null. */
export const instant = (): Joi.AnySchema<number | null> =>
  Joi.number<number | null>()
    .integer()
    .max(lastInstant)
    .custom((ms: number) => (ms < 0 ? null : ms), "epoch milliseconds");

/** What the field is that names a facet, wherever it stands. */
export const facetName =
  "Name of the facet (world map), such as `Felucca`. A shard may define facets of its own.";

/** Where a thing stands; facets are an open set and `region` is null outside every region. */
export const locationFields = {
  map: field(maybe(text()), facetName),
  x: field(maybe(integer()), "Coordinate in tiles, from west to east."),
  y: field(maybe(integer()), "Coordinate in tiles, from north to south."),
  z: field(maybe(integer()), "Height."),
  region: field(
    maybe(text()),
    "Name of the innermost named region that contains the place. Null if there is none.",
  ),
};

const location = () => shape(locationFields);

export const locationView: Shown = object(plain("map", "x", "y", "z", "region"));

/** An object with these fields and a `location`; plugins also spell it `loc`. */
export const located = <S extends Schemas>(fields: S) =>
  shape({ ...fields, location: field(maybe(location()), place) }).rename("loc", "location", {
    ignoreUndefined: true,
    override: true,
  });

const place = "Place of the event. A plugin may name this field `loc` instead.";

export const character = () =>
  shape({
    serial: field(serial(), "Serial of the character."),
    name: field(maybe(text()), "Name of the character."),
  });

export const characterView: Shown = object(plain("serial", "name"));

/** A character with its account; who acted from a console has no serial. */
export const accountFields = {
  serial: field(
    maybe(serial()),
    "Serial of the character. Null if there is no character, as for the server's console.",
  ),
  name: field(maybe(text()), "Name of the character."),
  acct: field(maybe(exactText()), "Name of the character's game account."),
};

export const accountCharacter = () => shape(accountFields);
