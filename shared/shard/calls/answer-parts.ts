import Joi from "joi";

// Schemas for fields of the sidecar's answers. `control.ts` requires every field unless its schema says otherwise.

export const text = Joi.string().allow("");
export const textOrNull = text.allow(null);
export const integerField = Joi.number().integer();
/** A time in epoch milliseconds, or a count. */
export const count = integerField.min(0);
export const flag = Joi.boolean();

/** An id of a help page or town-crier entry, which the plugin generates. */
export const opaqueId = Joi.string().max(64);

/** Numbers by name. The names differ between shards. */
export const numbersByName = Joi.object<Record<string, number>>().pattern(
  Joi.string(),
  Joi.number(),
);

export const listOf = <T>(item: Joi.Schema<T>): Joi.ArraySchema<T[]> =>
  Joi.array<T[]>().items(item);
