import Joi from "joi";

import { checkInstant } from "../../shared/platform/time/instant.ts";

export const idField = Joi.number().integer().min(1).max(Number.MAX_SAFE_INTEGER);

export const idParam = idField
  .required()
  .description(
    "Id of the object in the path. The operation that lists these objects returns their ids.",
  );

export const rowIdParams = Joi.object<{ id: number }, true>({ id: idParam });

/** A UUID in the service's format. Joi also accepts brackets and colons, which the database refuses. */
export const uuidField = Joi.string().guid({ wrapper: false, separator: "-" }).lowercase();

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

export const limitField = ({ min, max, default: standard }: Bounds): Joi.NumberSchema =>
  Joi.number()
    .integer()
    .min(min)
    .max(max)
    .default(standard)
    .description(
      `Maximum number of items to return. Default: ${standard}. Allowed: ${min} to ${max}.`,
    );

export const offsetField = Joi.number()
  .integer()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .default(0)
  .description("Number of items to skip before the first returned item. Default: 0.");

export const timeField = Joi.string()
  .custom(checkInstant)
  .messages({ "string.isoDate": "{{#label}} must be a time in ISO 8601 with its zone" })
  .meta({ jsonSchema: { format: "date-time" } });

/** A token that fits a header. Surrounding white space comes from copying and is removed. */
export const bearerTokenField = Joi.string()
  .allow("")
  .max(4096)
  .custom((text: string, helpers) => {
    const token = text.trim();
    return /^[\x20-\x7E]*$/.test(token) ? token : helpers.error("token.characters");
  }, "a bearer token")
  .messages({
    "token.characters": "{{#label}} must consist of ASCII letters, digits, punctuation and spaces",
  });
