import Joi from "joi";

import { isPlainVisible, toPlainLog, toPlainText } from "../texts/plain-text.ts";

export type Schemas = Readonly<Record<string, Joi.AnySchema>>;
type OutputOf<S> = S extends Joi.AnySchema<infer T> ? T : never;
type OptionalKey<S extends Schemas> = {
  [Key in keyof S]: undefined extends OutputOf<S[Key]> ? Key : never;
}[keyof S];

/** The type of a validated object with these fields. */
export type Shape<S extends Schemas> = {
  readonly [Key in Exclude<keyof S, OptionalKey<S>>]: OutputOf<S[Key]>;
} & { readonly [Key in OptionalKey<S>]?: OutputOf<S[Key]> };

/** Adds a description to a schema, for authors of plugins and clients. Validation ignores it. */
export const field = <S extends Joi.AnySchema>(schema: S, about: string): S =>
  schema.meta({ jsonSchema: { description: about } });

/** An object with these fields. All are required except those that are `maybe`. */
export const shape = <S extends Schemas>(fields: S): Joi.ObjectSchema<Shape<S>> =>
  Joi.object<Shape<S>>(fields);

/** A field that may be null or absent, because older plugins lack newer fields. */
export const maybe = <T>(schema: Joi.AnySchema<T>): Joi.AnySchema<T | null | undefined> =>
  schema.optional().allow(null);

export const listOf = <T>(item: Joi.AnySchema<T>): Joi.ArraySchema<T[]> =>
  Joi.array<T[]>().items(item);

/** Names of the game are far shorter. An index entry of PostgreSQL holds about 2,700 bytes. */
const longestText = 500;

const anyText = (max: number): Joi.StringSchema => Joi.string().allow("").max(max);

/**
 * A text that is made plain here, at its entry: one line, no markup, no invisible characters. Use it
 * for every text of a game; the fields below are exceptions.
 * @param max maximum length; a longer text is refused
 * @param kept number of characters that are stored
 */
export const text = (max = longestText, storedLength = max): Joi.StringSchema =>
  anyText(max).custom((given: string) => toPlainText(given, storedLength));

/**
 * A text to display that no query searches for; a longer one is cut instead of refused.
 * @param kept number of characters that are stored
 * @param plain makes a text plain and cuts it
 */
export const cutText = (
  storedLength: number,
  plain: (given: string, longest: number) => string,
): Joi.StringSchema =>
  Joi.string()
    .allow("")
    .custom((given: string) => plain(given, storedLength))
    .meta({ describedAs: () => anyText(storedLength) });

/** A text that a person says. */
export const speechText = (storedLength: number): Joi.StringSchema =>
  cutText(storedLength, toPlainText);

/** Output of a program, for staff. It keeps line ends, tabs and type names in angle brackets. */
export const logText = (storedLength: number): Joi.StringSchema =>
  cutText(storedLength, toPlainLog);

/** Arguments of a client text, separated by tabs; each is made plain. */
export const argsText = (max: number): Joi.StringSchema =>
  anyText(max).custom((given: string) =>
    given
      .split("\t")
      .map((part) => toPlainText(part, max))
      .join("\t"),
  );

/**
 * The name of an account, which is sent back to the game and so must stay unchanged. Markup or
 * invisible characters are refused; no game uses such names.
 */
export const exactText = (max = longestText): Joi.StringSchema =>
  anyText(max).custom(rejectInvisible);

const rejectInvisible: Joi.CustomValidator<string> = (given, helpers) =>
  isPlainVisible(given) ? given : helpers.error("any.invalid");

/**
 * A text that is first searched for secrets. The code that stores it makes it plain and cuts it; only
 * the size limit of the frame bounds its length.
 */
export const uncheckedText = (): Joi.StringSchema => Joi.string().allow("");

/** A key that identifies rows. */
export const key = (): Joi.StringSchema => Joi.string().max(64).custom(rejectInvisible);

/** The game's numbers and their columns are signed 32-bit. */
export const integer = (): Joi.NumberSchema =>
  Joi.number().integer().min(-0x8000_0000).max(0x7fff_ffff);

export const count = (): Joi.NumberSchema => integer().min(0);

/** Gold, bytes or milliseconds: more than 32 bits, and exact in JSON up to 2^53. */
export const large = (): Joi.NumberSchema =>
  Joi.number()
    .unsafe()
    .integer()
    .min(0)
    .max(2 ** 53);

export const flag = (): Joi.BooleanSchema => Joi.boolean();

/** Numbers by name, such as by facet or region of the shard. */
export const countsByName = (): Joi.ObjectSchema<Readonly<Record<string, number>>> =>
  Joi.object<Readonly<Record<string, number>>>()
    .pattern(Joi.string(), count())
    .custom((given: Readonly<Record<string, number>>) => {
      const names = Object.keys(given);
      if (names.every((name) => toPlainText(name, longestText) === name)) return given;
      return Object.fromEntries(
        Object.entries(given).map(([name, value]) => [toPlainText(name, longestText), value]),
      );
    });
