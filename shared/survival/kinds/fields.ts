import Joi from "joi";

import { stringifyLongInteger } from "../../platform/bridge/json-text.ts";
import {
  cutText,
  field,
  listOf,
  nullish,
  type FieldSchemas,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { maskSecretsInOutput } from "../../platform/secret-texts/secret-forms.ts";
import { toPlainText } from "../../platform/texts/plain-text.ts";
import { maxNameLength } from "../plain-texts.ts";

/** Steam ids of people; NPCs have smaller numbers. */
export const steamIdPattern = /^7656119\d{10}$/;

/** Allows a text field to accept integers and convert them to text. */
const joiWithDigits: Joi.Root = Joi.extend({
  type: "string",
  base: Joi.string(),
  coerce: { from: "number", method: (given: unknown) => ({ value: stringifyLongInteger(given) }) },
});

/** A 64-bit number of the game, sent as a text or an integer and stored as a text of digits. */
const int64 = (): Joi.StringSchema =>
  joiWithDigits
    .string()
    .prefs({ convert: true })
    .messages({ "string.base": "{{#label}} must be a text or an integer" })
    .meta({ int64: true });

export const steamId = (): Joi.StringSchema => int64().pattern(steamIdPattern);

/** A 64-bit number of the game, such as the id or score of a clan or the id of an entity. */
export const int64Field = (): Joi.StringSchema => int64().pattern(/^-?\d{1,20}$/);

/** An identifier of the game: a 64-bit number or a name. */
export const gameId = (max: number): Joi.StringSchema =>
  int64()
    .allow("")
    .max(max)
    .custom((given: string) => toPlainText(given, max));

/** A decimal number, for meters, percent and hit points. */
export const decimal = (): Joi.NumberSchema => Joi.number().unsafe();

/** The last moment with a four-digit year, as the API writes times. */
export const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export const instantMs = (): Joi.NumberSchema => Joi.number().integer().min(0).max(maxTime);

/** Names may contain markup and invisible characters; mods allow long names. */
export const gameName = (): Joi.StringSchema => text(256, maxNameLength);

/**
 * A message that may quote a configuration. Mask secrets before cutting, because masking would miss a cut secret.
 */
export const programMessage = (kept: number): Joi.StringSchema =>
  cutText(kept, (given, longest) => toPlainText(maskSecretsInOutput(given), longest));

const account = "Steam id of the player.";

export const playerFields = {
  steamId: field(steamId(), account),
  name: field(gameName(), "Name of the player."),
};

export const player = () => objectSchema(playerFields);

/**
 * Accepts any id, because ids of NPCs and the console are dropped later. The documentation describes a Steam id.
 */
const anyId = (): Joi.StringSchema => int64().max(64).meta({ describedAs: steamId });

const isAccount = (id: string): boolean => steamIdPattern.test(id);

/** A Steam account; other ids become null. */
export const accountOrNull = (): Joi.StringSchema<string | null> =>
  anyId().custom((id: string) => (isAccount(id) ? id : null));

/** Steam accounts. Other ids are skipped. */
export const accountListField = (): Joi.ArraySchema<string[]> =>
  listOf(anyId()).custom((ids: readonly string[]) =>
    ids.every(isAccount) ? ids : ids.filter(isAccount),
  );

interface Account {
  readonly steamId: string;
}

const isPlayer = (found: Account): boolean => isAccount(found.steamId);

/** A player; null if the id is no Steam account. */
export const playerOrNull = () =>
  objectSchema({ ...playerFields, steamId: field(anyId(), account) }).custom((found: Account) =>
    isPlayer(found) ? found : null,
  );

/**
 * A list of players. Entries without a Steam account are dropped.
 * @param most maximum number of players to keep
 */
export const playerListSchema = <S extends FieldSchemas>(fields: S, most = Infinity) =>
  listOf(objectSchema({ steamId: field(anyId(), account), ...fields })).custom(
    (players: readonly Account[]) =>
      players.every(isPlayer) && players.length <= most
        ? players
        : players.filter(isPlayer).slice(0, most),
  );

/** Position east and north of the map's middle, without the height. */
export const positionFields = {
  x: field(nullish(decimal()), "Meters east of the middle of the map; negative to the west."),
  z: field(nullish(decimal()), "Meters north of the middle of the map; negative to the south."),
  grid: field(nullish(text(16)), "Grid square of the map, such as `R24`."),
};

export const saveId = field(
  instantMs(),
  "Id of the world: the creation time of its save, in epoch milliseconds.",
);

/** Descriptions of world fields that several kinds share. */
export const mapSeedDescription = "Seed of the map, as a text or a number.";
export const worldLevelDescription = "Name of the level, such as `Procedural Map`.";
export const worldSizeDescription = "Width of the map in meters.";
