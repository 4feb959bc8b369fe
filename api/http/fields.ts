import Joi from "joi";

/** The id of a row. */
export const idField = Joi.number().integer().positive().max(Number.MAX_SAFE_INTEGER);

/** A path parameter that names a row. */
export const idParam = idField.required();

/** The path parameters of a route about one row. */
export const byId = Joi.object<{ id: number }, true>({ id: idParam });

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** How many of a list are answered at once. */
export const limitField = ({ min, max, default: standard }: Bounds): Joi.NumberSchema =>
  Joi.number().integer().min(min).max(max).default(standard);

/** How many of a list are passed over. */
export const offsetField = Joi.number().integer().min(0).max(Number.MAX_SAFE_INTEGER).default(0);
