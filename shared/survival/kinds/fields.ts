import Joi from "joi";

import { listOf, maybe, type Schemas, shape, text } from "../../bridge/payload-fields.ts";
import { coverSaid } from "../../secret-texts/secret-forms.ts";
import { longestName } from "../players/shown-name.ts";
import { steamIdPattern } from "../players/steam-id.ts";

/** A Steam account: more digits than a number of JSON holds, so always a text. */
export const steamId = (): Joi.StringSchema => Joi.string().pattern(steamIdPattern);

const bigIdPattern = /^-?\d{1,20}$/;

/**
 * A 64-bit number of the game, kept as a text: the id of a clan, of an entity. A game may send it as an
 * integer too; one that is too large for a number of JSON was read as a text already.
 */
export const bigId = (): Joi.AnySchema<string> =>
  Joi.any<string>()
    .custom((given: unknown, helpers) => {
      const digits = Number.isSafeInteger(given) ? String(given) : given;
      const isId = typeof digits === "string" && bigIdPattern.test(digits);
      return isId ? digits : helpers.error("number.id");
    })
    .messages({ "number.id": "{{#label}} must be an integer or its digits as a text" })
    .meta({ describedAs: () => Joi.string().pattern(bigIdPattern) });

/** Metres, percent, hit points. */
export const decimal = (): Joi.NumberSchema => Joi.number().unsafe();

/** The last that is written with four digits of a year, as the API tells times. */
export const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export const instantMs = (): Joi.NumberSchema => Joi.number().integer().min(0).max(lastMoment);

/** Names come with markup and invisible characters, and as long as mods let them be. */
export const gameName = (): Joi.StringSchema => text(256, longestName);

/** What a game or one of its plugins says in words: it may quote a configuration. */
export const said = (max: number): Joi.StringSchema => text(max).custom(coverSaid);

export const player = () => shape({ steamId: steamId(), name: gameName() });

/**
 * Where a Steam id should be: the game's NPCs and its console have ids of another form. Only Steam
 * accounts are let past, and so it is described.
 */
const anyId = (): Joi.StringSchema => Joi.string().max(64).meta({ describedAs: steamId });

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
  shape({ steamId: anyId(), name: gameName() }).custom((found: Account) =>
    isPlayer(found) ? found : null,
  );

/** A list of players with these fields: one without a Steam account is passed over. */
export const playersWith = <S extends Schemas>(fields: S) =>
  listOf(shape({ steamId: anyId(), ...fields })).custom((players: readonly Account[]) =>
    players.every(isPlayer) ? players : players.filter(isPlayer),
  );

/** East and north of the middle of the map; the height is left out where it says nothing. */
export const groundFields = {
  x: maybe(decimal()),
  z: maybe(decimal()),
  grid: maybe(text(16)),
};
