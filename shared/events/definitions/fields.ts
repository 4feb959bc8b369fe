import Joi from "joi";

import { imageAddressField } from "../../platform/net/image-address.ts";
import { nameTextField } from "../../platform/texts/visible-text.ts";
import { isTimeZone } from "../../platform/time/wall-time.ts";
import { specField } from "../spec/fields.ts";

/** The maximum of the database's `integer`. */
const largest = 2 ** 31 - 1;

export const slugField = Joi.string()
  .max(80)
  .pattern(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .messages({
    "string.pattern.base":
      "{{#label}} must be lowercase letters and digits, separated by single hyphens",
  })
  .description(
    "Part of the URL of the public page. If absent, a new event receives a slug made from its " +
      "title, a new series receives a slug made from its name.",
  );

export const titleField = nameTextField(200);

export const orderField = Joi.number().integer().min(-largest).max(largest);

const image = imageAddressField({
  schemes: ["https:", "http:"],
  takesPaths: false,
  rule: "an http or https address without a user name; on this site, that of a public picture",
});

const timeZone = Joi.string()
  .max(64)
  .custom((name: string, helpers) => (isTimeZone(name) ? name : helpers.error("any.only")))
  .messages({ "any.only": "{{#label}} must be an IANA time zone, such as Europe/Berlin" })
  .description(
    "IANA time zone in which the times of the schedule apply. Default for a new event: `UTC`.",
  );

export const definitionFields = {
  title: titleField,
  slug: slugField,
  summary: Joi.string().allow("").max(500),
  body: Joi.string().allow("").max(20_000).description("Text of the event in Markdown."),
  imageUrl: image
    .allow(null)
    .description(
      "URL of an image (`http` or `https`). If the URL belongs to this site, it must be that of " +
        "a public picture.",
    ),
  seriesId: Joi.number().integer().min(1).max(largest).allow(null),
  seriesOrder: orderField.description(
    "Position of the event in its series. Events with lower values come first.",
  ),
  concurrencyKey: Joi.string()
    .max(100)
    .allow(null)
    .description(
      "Key that limits concurrency: of all runs with the same key, even of different events, " +
        "only one is under way at a time. Null for no limit.",
    ),
  graceSeconds: Joi.number()
    .integer()
    .min(0)
    .max(86_400)
    .description(
      "How many seconds late a run may start before its status becomes `missed`. Values below 5 " +
        "count as 5. Default for a new event: 900.",
    ),
  timezone: timeZone,
  // Accepts any value: `findSpecFaults` checks the fields of a spec and its references.
  spec: Joi.any().meta({ describedAs: () => specField }),
} as const;
