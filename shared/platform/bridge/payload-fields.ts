import Joi from "joi";

import { isPlainText, toPlainLog, toPlainText } from "../texts/plain-text.ts";

export type FieldSchemas = Readonly<Record<string, Joi.AnySchema>>;
type OutputOf<S> = S extends Joi.AnySchema<infer T> ? T : never;
type OptionalKey<S extends FieldSchemas> = {
  [Key in keyof S]: undefined extends OutputOf<S[Key]> ? Key : never;
}[keyof S];

/** The type of a validated object with these fields. */
export type ObjectOutput<S extends FieldSchemas> = {
  readonly [Key in Exclude<keyof S, OptionalKey<S>>]: OutputOf<S[Key]>;
} & { readonly [Key in OptionalKey<S>]?: OutputOf<S[Key]> };

/** Adds a description to a schema, for authors of plugins and clients. Validation ignores it. */
export const field = <S extends Joi.AnySchema>(schema: S, about: string): S =>
  schema.meta({ jsonSchema: { description: about } });

/** An object with these fields. All are required except those wrapped in `maybe`. */
export const objectSchema = <S extends FieldSchemas>(
  fields: S,
): Joi.ObjectSchema<ObjectOutput<S>> => Joi.object<ObjectOutput<S>>(fields);

/** A field that may be null or absent, because older plugins lack newer fields. */
export const nullish = <T>(schema: Joi.AnySchema<T>): Joi.AnySchema<T | null | undefined> =>
  schema.optional().allow(null);

export const listOf = <T>(item: Joi.AnySchema<T>): Joi.ArraySchema<T[]> =>
  Joi.array<T[]>().items(item);

/**
 * Maximum length of a text. Names are far shorter; an entry of a PostgreSQL index holds at most about 2,700
 * bytes.
 */
const longestText = 500;

const anyText = (max: number): Joi.StringSchema => Joi.string().allow("").max(max);

/**
 * A text that is made plain on arrival: one line, no markup, no invisible characters. Use it for every text of a
 * game, except where one of the fields below fits.
 * @param max maximum length; a longer text is refused
 * @param storedLength number of characters that are stored
 */
export const text = (max = longestText, storedLength = max): Joi.StringSchema =>
  anyText(max).custom((given: string) => toPlainText(given, storedLength));

/**
 * A text that is only displayed, never searched. A longer text is cut instead of refused.
 * @param storedLength number of characters that are stored
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

/** A text spoken or written by a person; it is cut if it is too long. */
export const speechText = (storedLength: number): Joi.StringSchema =>
  cutText(storedLength, toPlainText);

/** Output of a program, for staff. Line breaks, tabs and type names in angle brackets stay. */
export const logText = (storedLength: number): Joi.StringSchema =>
  cutText(storedLength, toPlainLog);

/** Arguments of a client text, separated by tabs. Each argument is made plain. */
export const tabSeparatedText = (max: number): Joi.StringSchema =>
  anyText(max).custom((given: string) =>
    given
      .split("\t")
      .map((part) => toPlainText(part, max))
      .join("\t"),
  );

/**
 * The name of an account. It is sent back to the game, so it must stay unchanged. Markup and invisible
 * characters are refused; no game uses them in these names.
 */
export const verbatimText = (max = longestText): Joi.StringSchema =>
  anyText(max).custom(rejectInvisible);

const rejectInvisible: Joi.CustomValidator<string> = (given, helpers) =>
  isPlainText(given) ? given : helpers.error("any.invalid");

/**
 * A text that is searched for secrets before it is made plain and cut. Only the size limit of the frame
 * bounds its length.
 */
export const rawText = (): Joi.StringSchema => Joi.string().allow("");

/** A key by which rows are identified. */
export const rowKey = (): Joi.StringSchema => Joi.string().max(64).custom(rejectInvisible);

/** A signed 32-bit integer, as the game and the columns use. */
export const integer = (): Joi.NumberSchema =>
  Joi.number().integer().min(-0x8000_0000).max(0x7fff_ffff);

export const count = (): Joi.NumberSchema => integer().min(0);

/** For gold, bytes or milliseconds, which need more than 32 bits. Exact in JSON up to 2^53. */
export const largeCount = (): Joi.NumberSchema =>
  Joi.number()
    .unsafe()
    .integer()
    .min(0)
    .max(2 ** 53);

export const flag = (): Joi.BooleanSchema => Joi.boolean();

/** Numbers by name, for example by facet or region of the shard. */
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
