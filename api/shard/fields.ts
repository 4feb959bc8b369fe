import Joi from "joi";

import { serialField } from "../../shared/platform/bridge/serial.ts";
import { limits } from "../../shared/platform/limits.ts";
import { normalizeTypedCode } from "../../shared/platform/texts/typed-text.ts";
import { limitField } from "../http/fields.ts";

/** A typed one-time code from a game: 1 to 64 characters without separators. */
export const linkCodeField = Joi.string()
  .max(256)
  .custom((text: string, helpers) => {
    const code = normalizeTypedCode(text);
    return code === "" || code.length > 64 ? helpers.error("text.length") : code;
  }, "typed code")
  .meta({ jsonSchema: { minLength: 1, maxLength: 64 } })
  .messages({ "text.length": "{{#label}} must have 1 to 64 characters" })
  .required()
  .description(
    "Code that the game shows: 1 to 64 characters, not counting spaces and dashes. Digits of any " +
      "script are accepted.",
  );

/** The name of a game account. Only the shard knows which accounts exist. */
export const accountField = (): Joi.StringSchema =>
  Joi.string()
    .max(64)
    .custom((text: string) => text.trim(), "account without space around it");

export const accountParam = Joi.object<{ account: string }, true>({
  account: accountField().required().description("Name of the game account. Case is ignored."),
});

export const serialParam = Joi.object<{ serial: string }, true>({
  serial: serialField()
    .required()
    .description("Serial of the character. The case of the hexadecimal digits is ignored."),
});

/** Help pages and town-crier entries have ids that the shard generates. */
export const shardIdParam = Joi.object<{ id: string }, true>({
  id: Joi.string()
    .max(64)
    .required()
    .description(
      "Id of the object in the path. The operation that lists these objects returns their ids.",
    ),
});

export const salesQuery = Joi.object<{ limit: number }, true>({
  limit: limitField(limits.vendorSales),
});
