import Joi from "joi";

import { checkInstant } from "../../shared/platform/time/instant.ts";

/** The id of a row. */
export const idField = Joi.number().integer().min(1).max(Number.MAX_SAFE_INTEGER);

/** A path parameter that names a row. */
export const idParam = idField
  .required()
  .description(
    "Id of the object that the path names. The operation that lists these objects returns it.",
  );

/** The path parameters of a route about one row. */
export const byId = Joi.object<{ id: number }, true>({ id: idParam });

/** A UUID as the service writes it: brackets and colons, which Joi takes too, are none to the database. */
export const uuidField = Joi.string().guid({ wrapper: false, separator: "-" }).lowercase();

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** How many of a list are answered at once. */
export const limitField = ({ min, max, default: standard }: Bounds): Joi.NumberSchema =>
  Joi.number()
    .integer()
    .min(min)
    .max(max)
    .default(standard)
    .description(
      `Maximum number of items to return. Default: ${standard}. Allowed: ${min} to ${max}.`,
    );

/** How many of a list are passed over. */
export const offsetField = Joi.number()
  .integer()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .default(0)
  .description("Number of items to skip before the first returned item. Default: 0.");

/** A moment in a body, with its zone. */
export const timeField = Joi.string()
  .custom(checkInstant)
  .messages({ "string.isoDate": "{{#label}} must be a time in ISO 8601 with its zone" })
  .meta({ jsonSchema: { format: "date-time" } });

/** A token as a header can carry it; white space around it came along with the copying. */
export const bearerTokenField = Joi.string()
  .allow("")
  .max(4096)
  .custom((text: string, helpers) => {
    const token = text.trim();
    return /^[\x20-\x7E]*$/.test(token) ? token : helpers.error("token.characters");
  }, "a bearer token")
  .messages({ "token.characters": "{{#label}} must be letters, digits and signs of ASCII" });
