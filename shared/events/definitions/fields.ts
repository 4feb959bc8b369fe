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
      "{{#label}} must be lower-case letters and digits, with single hyphens between them",
  })
  .description("Part of the address; derived from the name when it is left out.");

export const titleField = nameText(200);

export const orderField = Joi.number().integer().min(-largest).max(largest);

const image = imageAddress({
  schemes: ["https:", "http:"],
  takesPaths: false,
  rule: "an http or https address without a user; of the site itself, that of a public picture",
});

const timeZone = Joi.string()
  .max(64)
  .custom((name: string, helpers) => (isTimeZone(name) ? name : helpers.error("any.only")))
  .messages({ "any.only": "{{#label}} must be an IANA time zone" })
  .description("An IANA name, in which the schedule's wall times stand.");

/** What can be said of an event, in creating and in changing it. */
export const definitionFields = {
  title: titleField,
  slug: slugField,
  summary: Joi.string().allow("").max(500),
  body: Joi.string().allow("").max(20_000).description("Markdown."),
  imageUrl: image.allow(null),
  seriesId: Joi.number().integer().min(1).max(largest).allow(null),
  seriesOrder: orderField,
  concurrencyKey: Joi.string()
    .max(100)
    .allow(null)
    .description("Of runs that share a key, one at a time is under way."),
  graceSeconds: Joi.number().integer().min(0).max(86_400).description("How late a run may begin."),
  timezone: timeZone,
  // Checked by itself, since what it refers to is checked with its form.
  spec: Joi.any().meta({ describedAs: () => specField }),
} as const;
