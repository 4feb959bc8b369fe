import Joi from "joi";

import { cleanLine, cleanTag, cleanText } from "../../shared/content/text/clean.ts";
import { slugOf, slugPattern } from "../../shared/content/text/slugs.ts";
import { limits } from "../../shared/platform/limits.ts";
import { imageAddressField } from "../../shared/platform/net/image-address.ts";
import {
  countCharacters,
  blankCode,
  blankMessage,
  hasTooManyCombiningMarks,
  isVisible,
  piledMarksCode,
  piledMarksMessage,
} from "../../shared/platform/texts/visible-text.ts";
import { instantPattern, isInstant } from "../../shared/platform/time/instant.ts";
import { limitField, offsetField } from "../http/fields.ts";

type Clean = (text: string) => string;

/** Checks the length of the cleaned text, in user-perceived characters. */
const cleaned = (clean: Clean, max: number): Joi.StringSchema =>
  Joi.string()
    .custom((given: string, helpers) => {
      if (hasTooManyCombiningMarks(given)) return helpers.error(piledMarksCode);
      const text = clean(given);
      if (text === "") return helpers.error("string.empty");
      if (!isVisible(text)) return helpers.error(blankCode);
      return countCharacters(text) > max ? helpers.error("string.max", { limit: max }) : text;
    })
    .messages({ ...blankMessage, ...piledMarksMessage })
    .meta({ jsonSchema: { minLength: 1, maxLength: max } });

const line = (max: number): Joi.StringSchema => cleaned(cleanLine, max);

const { content } = limits;

export const bodyField = cleaned(cleanText, content.body).description(
  "Text in Markdown. Raw HTML is shown as text.",
);

export const titleField = line(content.title);

export const slugField = Joi.string()
  .max(content.slug)
  .pattern(slugPattern, "slug")
  .description(
    "Lowercase letters and digits, with hyphens between them. If absent, a new post or page " +
      "receives a slug made from its title.",
  );

/** Returns the field with empty texts converted to null. */
const orNull = (field: Joi.StringSchema): Joi.Schema =>
  field.allow(null, "").custom((value: string | null) => value || null);

export const excerptField = orNull(line(content.excerpt)).description(
  "Short text for lists. If null or blank, the beginning of the body is the excerpt.",
);

export const noteField = orNull(line(content.note)).description(
  "Note about the change. The list of revisions shows the note.",
);

export const imageField = orNull(
  imageAddressField({
    schemes: ["https:"],
    takesPaths: true,
    rule: "an https address without a user name, or the path of a public picture of the site",
  }),
).description(
  "Image of the post: an `https` URL or the path of a public picture of the site, that is, a " +
    "file under `CONTENT_IMAGE_PATHS`, a picture under `/public/assets` or the map image of a " +
    "survival server. Null for no image.",
);

export const categoryField = orNull(
  line(content.category).custom((name: string, helpers) =>
    slugOf(name) === ""
      ? helpers.error("string.pattern.name", { name: "name with a letter or digit" })
      : name,
  ),
).description(
  "Name of the category. If the category does not exist, it is created. Null for no category.",
);

const tagField = cleaned(cleanTag, content.tag);

export const tagsField = Joi.array()
  .items(tagField)
  .max(content.tags)
  .custom((tags: string[]) => [...new Set(tags)])
  .description("Tags of the post or page. Tags are stored in lowercase and without duplicates.");

const textStatuses = ["draft", "published"] as const;

export const statusField = Joi.string()
  .valid(...textStatuses)
  .description("Status of the page. If absent, a new page is a draft.");

export const statusQuery = Joi.string()
  .valid(...textStatuses)
  .empty("")
  .description("Returns only items with this status.");

/** The earliest and latest date. Every feed reader can show them, because their years have four digits. */
const [earliest, latest] = [new Date("1970-01-01T00:00:00Z"), new Date("9999-12-31T00:00:00Z")];

const writeTime = (time: Date): string => time.toISOString().replace(".000Z", "Z");

export const timeField = Joi.string()
  .pattern(instantPattern, "ISO 8601 time with its zone")
  .custom((text: string, helpers) => {
    const time = new Date(text);
    // `pattern` above has already reported a text that does not match.
    if (!instantPattern.test(text)) return text;
    const isTaken = isInstant(text) && time >= earliest && time <= latest;
    return isTaken ? time : helpers.error("time.range");
  })
  .messages({
    "time.range": `{{#label}} must be an existing time from ${writeTime(earliest)} to ${writeTime(latest)}`,
  })
  .meta({ jsonSchema: { format: "date-time" } });

/** HTML forms send empty fields, which mean "no filter". */
const filterText = (max: number): Joi.StringSchema => Joi.string().trim().empty("").max(max);

export const pagingFields = {
  limit: limitField(limits.contentPage),
  offset: offsetField,
};

export const listFields = {
  q: filterText(limits.contentTerm.max).description(
    "Returns only items whose title contains this text. For posts, a match in the excerpt is " +
      "enough. Case and accents are ignored.",
  ),
  ...pagingFields,
};

export const tagQuery = tagField.trim().empty("").description("Returns only items with this tag.");

export const categoryQuery = filterText(content.slug).description(
  "Slug of a category. Returns only wiki pages of this category.",
);

/** A slug in a path. A malformed slug is 404, not 400. */
export const slugParam = Joi.string()
  .required()
  .description(
    "Slug of the post or page. The operation that lists the posts or pages returns the slug.",
  );

export const slugParams = Joi.object<{ slug: string }, true>({ slug: slugParam });
