import Joi from "joi";

import {
  countCharacters,
  blank,
  blankMessage,
  isPiled,
  isVisible,
  piled,
  piledMessage,
} from "../../shared/platform/texts/visible-text.ts";

interface Length {
  readonly min: number;
  readonly max: number;
}

/**
 * What somebody writes in their own words: without white space around it, in one normal form, its
 * length counted in characters as people count them.
 */
export const proseField = ({ min, max }: Length): Joi.StringSchema =>
  Joi.string()
    .custom((given: string, helpers) => {
      const trimmed = given.trim();
      // A character in NFC comes of at most four; to compose a longer text would only take time.
      if (countCharacters(trimmed) > 4 * max) return helpers.error("prose.max");
      if (isPiled(trimmed)) return helpers.error(piled);
      const text = trimmed.normalize("NFC").trim();
      const length = countCharacters(text);
      if (length < min) return helpers.error("prose.min");
      if (length > 0 && !isVisible(text)) return helpers.error(blank);
      return length > max ? helpers.error("prose.max") : text;
    }, "prose")
    .meta({ jsonSchema: { minLength: min, maxLength: max } })
    .messages({
      ...blankMessage,
      ...piledMessage,
      "prose.min": `{{#label}} must have at least ${min} characters`,
      "prose.max": `{{#label}} must have at most ${max} characters`,
    });
