import Joi from "joi";

/** How many of a list are answered at once. */
export const limitField = Joi.number().integer().min(1).max(100).default(50);

export const offsetField = Joi.number().integer().min(0).max(Number.MAX_SAFE_INTEGER).default(0);
