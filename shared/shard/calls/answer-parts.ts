import Joi from "joi";

// Parts of the sidecar's answers. `control.ts` checks answers with every field required by default.

export const text = Joi.string().allow("");
export const textOrNull = text.allow(null);
export const whole = Joi.number().integer();
/** A time in epoch milliseconds, or a count. */
export const count = whole.min(0);
export const flag = Joi.boolean();

/** The plugin makes up the ids of help pages and town-crier entries. */
export const opaqueId = Joi.string().max(64);

/** Numbers by name. The shard chooses the names. */
export const numbers = Joi.object<Record<string, number>>().pattern(Joi.string(), Joi.number());

export const listOf = <T>(item: Joi.Schema<T>): Joi.ArraySchema<T[]> =>
  Joi.array<T[]>().items(item);
