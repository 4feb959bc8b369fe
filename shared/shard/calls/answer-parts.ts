import Joi from "joi";

// Parts of the sidecar's answers. Every field is required where nothing else is said: `control.ts`
// checks answers with that presumption.

export const text = Joi.string().allow("");
export const textOrNull = text.allow(null);
export const whole = Joi.number().integer();
/** Epoch ms, or a count. */
export const count = whole.min(0);
export const flag = Joi.boolean();

/** Ids of help pages and town-crier entries are texts that the bridge made up. */
export const madeUpId = Joi.string().max(64);

/** Numbers by name, whatever names the shard has. */
export const numbers = Joi.object<Record<string, number>>().pattern(Joi.string(), Joi.number());

export const listOf = <T>(item: Joi.Schema<T>): Joi.ArraySchema<T[]> =>
  Joi.array<T[]>().items(item);
