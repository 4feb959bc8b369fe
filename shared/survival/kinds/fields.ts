import Joi from "joi";

import { digitsOf } from "../../platform/bridge/json-text.ts";
import {
  cutText,
  field,
  listOf,
  maybe,
  type Schemas,
  shape,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { coverSaid } from "../../platform/secret-texts/secret-forms.ts";
import { plainText } from "../../platform/texts/plain-text.ts";
import { longestName } from "../plain-texts.ts";

/** What the id of a person's Steam account looks like; NPCs have smaller numbers. */
export const steamIdPattern = /^7656119\d{10}$/;

/** Texts that an integer is made into, once a field asks for conversion. */
const withDigits: Joi.Root = Joi.extend({
  type: "string",
  base: Joi.string(),
  coerce: { from: "number", method: (given: unknown) => ({ value: digitsOf(given) }) },
});

/**
 * A field whose value the game may hold as a 64-bit number. Plugins send such a number as a text or as an
 * integer; it is kept as the text of its digits.
 */
const int64 = (): Joi.StringSchema =>
  withDigits
    .string()
    .prefs({ convert: true })
    .messages({ "string.base": "{{#label}} must be a text or an integer" })
    .meta({ int64: true });

/** A Steam account. */
export const steamId = (): Joi.StringSchema => int64().pattern(steamIdPattern);

/** A 64-bit number of the game: the id or the score of a clan, the id of an entity. */
export const bigId = (): Joi.StringSchema => int64().pattern(/^-?\d{1,20}$/);

/** What the game tells something by: a 64-bit number, or a name. */
export const gameId = (max: number): Joi.StringSchema =>
  int64()
    .allow("")
    .max(max)
    .custom((given: string) => plainText(given, max));

/** Metres, percent, hit points. */
export const decimal = (): Joi.NumberSchema => Joi.number().unsafe();

/** The last that is written with four digits of a year, as the API tells times. */
export const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export const instantMs = (): Joi.NumberSchema => Joi.number().integer().min(0).max(lastMoment);

/** Names come with markup and invisible characters, and as long as mods let them be. */
export const gameName = (): Joi.StringSchema => text(256, longestName);

/**
 * What a program says in words: it may quote a configuration. Secrets are covered first, since a cut secret
 * would not be found.
 */
export const said = (kept: number): Joi.StringSchema =>
  cutText(kept, (given, longest) => plainText(coverSaid(given), longest));

const account = "Steam id of the player.";

/** The fields of a player. */
export const playerFields = {
  steamId: field(steamId(), account),
  name: field(gameName(), "Name of the player."),
};

export const player = () => shape(playerFields);

/**
 * Where a Steam id should be: the game's NPCs and its console have ids of another form. Only Steam
 * accounts are let past, and so it is described.
 */
const anyId = (): Joi.StringSchema => int64().max(64).meta({ describedAs: steamId });

const isAccount = (id: string): boolean => steamIdPattern.test(id);

/** A Steam account; null in place of an id that is none. */
export const accountOrNull = (): Joi.StringSchema<string | null> =>
  anyId().custom((id: string) => (isAccount(id) ? id : null));

/** Steam accounts: ids that are none are passed over. */
export const accounts = (): Joi.ArraySchema<string[]> =>
  listOf(anyId()).custom((ids: readonly string[]) =>
    ids.every(isAccount) ? ids : ids.filter(isAccount),
  );

interface Account {
  readonly steamId: string;
}

const isPlayer = (found: Account): boolean => isAccount(found.steamId);

/** A player; null in place of one without a Steam account. */
export const playerOrNull = () =>
  shape({ ...playerFields, steamId: field(anyId(), account) }).custom((found: Account) =>
    isPlayer(found) ? found : null,
  );

/**
 * A list of players with these fields: one without a Steam account is passed over.
 * @param most of them that are kept
 */
export const playersWith = <S extends Schemas>(fields: S, most = Infinity) =>
  listOf(shape({ steamId: field(anyId(), account), ...fields })).custom(
    (players: readonly Account[]) =>
      players.every(isPlayer) && players.length <= most
        ? players
        : players.filter(isPlayer).slice(0, most),
  );

/** East and north of the middle of the map; the height is left out where it says nothing. */
export const groundFields = {
  x: field(maybe(decimal()), "Meters east of the middle of the map; negative to the west."),
  z: field(maybe(decimal()), "Meters north of the middle of the map; negative to the south."),
  grid: field(maybe(text(16)), "Grid square of the map, such as `R24`."),
};

/** What identifies a world. */
export const saveId = field(
  instantMs(),
  "Id of the world: the creation time of its save, in epoch milliseconds.",
);

/** What the fields of a world are that several kinds tell. */
export const seed = "Seed of the map, as a text or a number.";
export const worldLevel = "Name of the level, such as `Procedural Map`.";
export const worldSize = "Width of the map in meters.";
