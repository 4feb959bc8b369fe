import Joi from "joi";

import { isSeenWhole, plainLog, plainText } from "../texts/plain-text.ts";

export type Schemas = Readonly<Record<string, Joi.AnySchema>>;
type OutputOf<S> = S extends Joi.AnySchema<infer T> ? T : never;
type OptionalKey<S extends Schemas> = {
  [Key in keyof S]: undefined extends OutputOf<S[Key]> ? Key : never;
}[keyof S];

/** What objects of these fields hold once checked. */
export type Shape<S extends Schemas> = {
  readonly [Key in Exclude<keyof S, OptionalKey<S>>]: OutputOf<S[Key]>;
} & { readonly [Key in OptionalKey<S>]?: OutputOf<S[Key]> };

/**
 * A schema with what it is, in one sentence for people who write a plugin or a client. The checks of
 * payloads pass over it.
 */
export const field = <S extends Joi.AnySchema>(schema: S, about: string): S =>
  schema.meta({ jsonSchema: { description: about } });

/** An object with these fields, each required but for those that are `maybe`. */
export const shape = <S extends Schemas>(fields: S): Joi.ObjectSchema<Shape<S>> =>
  Joi.object<Shape<S>>(fields);

/** A field that may be null or absent: older plugins leave out what newer ones know. */
export const maybe = <T>(schema: Joi.AnySchema<T>): Joi.AnySchema<T | null | undefined> =>
  schema.optional().allow(null);

export const listOf = <T>(item: Joi.AnySchema<T>): Joi.ArraySchema<T[]> =>
  Joi.array<T[]>().items(item);

/** No name of the game is near 500 characters, and an index entry of PostgreSQL holds some 2,700 bytes. */
const longestText = 500;

const anyText = (max: number): Joi.StringSchema => Joi.string().allow("").max(max);

/**
 * A text that is made plain here, where it enters: one line, no markup, nothing unseen. It is the rule
 * for every text of a game; the fields below are the exceptions, each with its cause.
 * @param max characters that are taken; a longer text is refused
 * @param kept characters that are kept of it
 */
export const text = (max = longestText, kept = max): Joi.StringSchema =>
  anyText(max).custom((given: string) => plainText(given, kept));

/**
 * A text for people, which nothing is found by: a longer one is cut and not refused.
 * @param kept characters that are kept
 * @param plain makes a text plain, and cuts it
 */
export const cutText = (
  kept: number,
  plain: (given: string, longest: number) => string,
): Joi.StringSchema =>
  Joi.string()
    .allow("")
    .custom((given: string) => plain(given, kept))
    .meta({ describedAs: () => anyText(kept) });

/** What a person says. */
export const words = (kept: number): Joi.StringSchema => cutText(kept, plainText);

/** Lines of a program, for staff: line ends, tabs and names of types in angle brackets stay. */
export const logText = (kept: number): Joi.StringSchema => cutText(kept, plainLog);

/** Arguments of a text of the client, parted by tabs: each is plain. */
export const argsText = (max: number): Joi.StringSchema =>
  anyText(max).custom((given: string) =>
    given
      .split("\t")
      .map((part) => plainText(part, max))
      .join("\t"),
  );

/**
 * What names an account to the game, and has to reach it again as it came. One with markup or with signs
 * that nobody sees is refused: no game gives such a name.
 */
export const exactText = (max = longestText): Joi.StringSchema => anyText(max).custom(refuseUnseen);

const refuseUnseen: Joi.CustomValidator<string> = (given, helpers) =>
  isSeenWhole(given) ? given : helpers.error("any.invalid");

/**
 * A text in which secrets are looked for first. Whoever keeps it makes it plain, and cuts it; only the
 * frame bounds its length.
 */
export const unreadText = (): Joi.StringSchema => Joi.string().allow("");

/** A key by which rows are told apart. */
export const key = (): Joi.StringSchema => Joi.string().max(64).custom(refuseUnseen);

/** The game's own numbers are signed 32-bit, and so are their columns. */
export const integer = (): Joi.NumberSchema =>
  Joi.number().integer().min(-0x8000_0000).max(0x7fff_ffff);

export const count = (): Joi.NumberSchema => integer().min(0);

/** Gold in coins, bytes, milliseconds: more than 32 bits, and exact in JSON up to 2^53. */
export const large = (): Joi.NumberSchema =>
  Joi.number()
    .unsafe()
    .integer()
    .min(0)
    .max(2 ** 53);

export const flag = (): Joi.BooleanSchema => Joi.boolean();

/** Numbers by name, the names being the shard's own: facets, regions. */
export const counted = (): Joi.ObjectSchema<Readonly<Record<string, number>>> =>
  Joi.object<Readonly<Record<string, number>>>()
    .pattern(Joi.string(), count())
    .custom((given: Readonly<Record<string, number>>) => {
      const names = Object.keys(given);
      if (names.every((name) => plainText(name, longestText) === name)) return given;
      return Object.fromEntries(
        Object.entries(given).map(([name, value]) => [plainText(name, longestText), value]),
      );
    });
