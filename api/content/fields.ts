import Joi from "joi";

import { cleanLine, cleanTag, cleanText } from "../../shared/content/text/clean.ts";
import { slugOf, slugPattern } from "../../shared/content/text/slugs.ts";
import { countCharacters } from "../../shared/count-characters.ts";
import { instantForm, isInstant } from "../../shared/instant.ts";
import { limits } from "../../shared/limits.ts";
import { imageAddress } from "../../shared/net/image-address.ts";
import {
  blank,
  blankMessage,
  isPiled,
  isVisible,
  piled,
  piledMessage,
} from "../../shared/visible-text.ts";
import { limitField, offsetField } from "../http/fields.ts";

type Clean = (text: string) => string;

/** Counts characters, as people do, in the text as it will be stored. */
const cleaned = (clean: Clean, max: number): Joi.StringSchema =>
  Joi.string()
    .custom((given: string, helpers) => {
      if (isPiled(given)) return helpers.error(piled);
      const text = clean(given);
      if (text === "") return helpers.error("string.empty");
      if (!isVisible(text)) return helpers.error(blank);
      return countCharacters(text) > max ? helpers.error("string.max", { limit: max }) : text;
    })
    .messages({ ...blankMessage, ...piledMessage })
    .meta({ jsonSchema: { minLength: 1, maxLength: max } });

const line = (max: number): Joi.StringSchema => cleaned(cleanLine, max);

const { content } = limits;

export const bodyField = cleaned(cleanText, content.body).description("Markdown.");

export const titleField = line(content.title);

export const slugField = Joi.string()
  .max(content.slug)
  .pattern(slugPattern, "slug")
  .description("Small letters and digits, with hyphens between; made of the title when absent.");

/** An empty text is none. */
const orNone = (field: Joi.StringSchema): Joi.Schema =>
  field.allow(null, "").custom((value: string | null) => value || null);

export const excerptField = orNone(line(content.excerpt)).description(
  "Null: the beginning of the body stands in for it.",
);

export const noteField = orNone(line(content.note)).description("What is said of the change.");

export const imageField = orNone(
  imageAddress({
    schemes: ["https:"],
    takesPaths: true,
    rule: "an https address without a user, or the path of a public picture of the site",
  }),
).description(
  "An `https` address, or the path of a picture of the site: a file in `CONTENT_IMAGE_PATHS`, artwork or a map.",
);

export const categoryField = orNone(
  line(content.category).custom((name: string, helpers) =>
    slugOf(name) === ""
      ? helpers.error("string.pattern.name", { name: "name with a letter or digit" })
      : name,
  ),
).description("The category's name; one that is new is made.");

const tagField = cleaned(cleanTag, content.tag);

export const tagsField = Joi.array()
  .items(tagField)
  .max(content.tags)
  .custom((tags: string[]) => [...new Set(tags)])
  .description("Kept in lower case, each once.");

const textStatuses = ["draft", "published"] as const;

export const statusField = Joi.string()
  .valid(...textStatuses)
  .description("`draft` when absent.");

export const statusQuery = Joi.string()
  .valid(...textStatuses)
  .empty("")
  .description("Only those that stand so.");

/** What every program that reads a feed can write as four digits. */
const [earliest, latest] = [new Date("1970-01-01T00:00:00Z"), new Date("9999-12-31T00:00:00Z")];

const writeTime = (time: Date): string => time.toISOString().replace(".000Z", "Z");

/** A moment with its zone. */
export const timeField = Joi.string()
  .pattern(instantForm, "ISO 8601 time with its zone")
  .custom((text: string, helpers) => {
    const time = new Date(text);
    // The pattern has told of a text of another form.
    if (!instantForm.test(text)) return text;
    const isTaken = isInstant(text) && time >= earliest && time <= latest;
    return isTaken ? time : helpers.error("time.range");
  })
  .messages({
    "time.range": `{{#label}} must be a moment that there is, from ${writeTime(earliest)} to ${writeTime(latest)}`,
  })
  .meta({ jsonSchema: { format: "date-time" } });

/** A form sends its empty fields along: they ask for nothing. */
const asked = (max: number): Joi.StringSchema => Joi.string().trim().empty("").max(max);

export const pagingFields = {
  limit: limitField(limits.contentPage),
  offset: offsetField,
};

export const listFields = {
  q: asked(limits.contentTerm.max).description("Part of a title, in any case and accent."),
  ...pagingFields,
};

export const tagQuery = tagField.trim().empty("").description("A tag.");

export const categoryQuery = asked(content.slug).description("A category's slug.");

/** A slug in a path. One that no text can have names nothing, and is no fault. */
export const slugParam = Joi.string().required().description("The slug, as the list has it.");

export const bySlug = Joi.object<{ slug: string }, true>({ slug: slugParam });
