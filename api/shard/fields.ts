import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { serial } from "../../shared/shard/values/serial.ts";
import { limitField } from "../http/fields.ts";

/** A text of 1 to `max` characters, not counting white space around it. */
export const trimmed = (max: number): Joi.StringSchema =>
  Joi.string()
    .custom((text: string, helpers) => {
      const left = text.trim();
      return left === "" || left.length > max ? helpers.error("text.length") : left;
    }, "trimmed text")
    .meta({ jsonSchema: { minLength: 1, maxLength: max } })
    .messages({ "text.length": `{{#label}} must have 1 to ${max} characters` });

/** A game account as somebody names it; which there are the shard knows. */
export const accountField = (): Joi.StringSchema => Joi.string().max(64);

export const accountParam = Joi.object<{ account: string }, true>({
  account: accountField().required().description("A game account, in any case."),
});

export const serialParam = Joi.object<{ serial: string }, true>({
  serial: serial().required().description("As the game writes it, in any case."),
});

/** Help pages and town-crier entries go by ids that the shard made up. */
export const shardIdParam = Joi.object<{ id: string }, true>({
  id: Joi.string().max(64).required().description("As the list names it."),
});

export const salesQuery = Joi.object<{ limit: number }, true>({
  limit: limitField(limits.vendorSales),
});
