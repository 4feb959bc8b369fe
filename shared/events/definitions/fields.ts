import Joi from "joi";

import { imageAddress } from "../../net/image-address.ts";
import { nameText } from "../../visible-text.ts";
import { isTimeZone } from "../schedule/wall-time.ts";
import { specField } from "../spec/fields.ts";

/** The largest number that the database's integers hold. */
const largest = 2 ** 31 - 1;

export const slugField = Joi.string()
  .max(80)
  .pattern(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .messages({
    "string.pattern.base":
      "{{#label}} must be lowercase letters and digits, separated by single hyphens",
  })
  .description(
    "Part of the address of the public page. By default made from the name or the title.",
  );

export const titleField = nameText(200);

export const orderField = Joi.number().integer().min(-largest).max(largest);

const image = imageAddress({
  schemes: ["https:", "http:"],
  takesPaths: false,
  rule: "an http or https address without a user name; on this site, that of a public picture",
});

const timeZone = Joi.string()
  .max(64)
  .custom((name: string, helpers) => (isTimeZone(name) ? name : helpers.error("any.only")))
  .messages({ "any.only": "{{#label}} must be an IANA time zone, such as Europe/Berlin" })
  .description("IANA name of the time zone of the schedule. `UTC` for a new event without it.");

/** What can be said of an event, in creating and in changing it. */
export const definitionFields = {
  title: titleField,
  slug: slugField,
  summary: Joi.string().allow("").max(500),
  body: Joi.string().allow("").max(20_000).description("Markdown."),
  imageUrl: image
    .allow(null)
    .description("An http or https address of an image. On this site, only of a public picture."),
  seriesId: Joi.number().integer().min(1).max(largest).allow(null),
  seriesOrder: orderField.description("Position in the series, lowest first."),
  concurrencyKey: Joi.string()
    .max(100)
    .allow(null)
    .description("At most one run with this key is under way at a time. Null sets no limit."),
  graceSeconds: Joi.number()
    .integer()
    .min(0)
    .max(86_400)
    .description(
      "How many seconds late a run may start, at least 5. After that it is `missed`. 900 for a " +
        "new event without it.",
    ),
  timezone: timeZone,
  // Checked by itself, since what it refers to is checked with its form.
  spec: Joi.any().meta({ describedAs: () => specField }),
} as const;
