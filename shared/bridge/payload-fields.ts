import Joi from "joi";

export type Schemas = Readonly<Record<string, Joi.AnySchema>>;
type OutputOf<S> = S extends Joi.AnySchema<infer T> ? T : never;
type OptionalKey<S extends Schemas> = {
  [Key in keyof S]: undefined extends OutputOf<S[Key]> ? Key : never;
}[keyof S];

/** What objects of these fields hold once checked. */
export type Shape<S extends Schemas> = {
  readonly [Key in Exclude<keyof S, OptionalKey<S>>]: OutputOf<S[Key]>;
} & { readonly [Key in OptionalKey<S>]?: OutputOf<S[Key]> };

/** An object with these fields, each required but for those that are `maybe`. */
export const shape = <S extends Schemas>(fields: S): Joi.ObjectSchema<Shape<S>> =>
  Joi.object<Shape<S>>(fields);

/** A field that may be null or absent: older plugins leave out what newer ones know. */
export const maybe = <T>(schema: Joi.AnySchema<T>): Joi.AnySchema<T | null | undefined> =>
  schema.optional().allow(null);

export const listOf = <T>(item: Joi.AnySchema<T>): Joi.ArraySchema<T[]> =>
  Joi.array<T[]>().items(item);

/** No name of the game is near 500 characters, and an index entry of PostgreSQL holds some 2,700 bytes. */
export const text = (max = 500): Joi.StringSchema => Joi.string().allow("").max(max);

/** A key by which rows are told apart. */
export const key = (): Joi.StringSchema => Joi.string().max(64);

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
  Joi.object<Readonly<Record<string, number>>>().pattern(Joi.string(), count());
