import Joi from "joi";

import {
  countCharacters,
  blankCode,
  blankMessage,
  hasTooManyCombiningMarks,
  isVisible,
  piledMarksCode,
  piledMarksMessage,
} from "../../shared/platform/texts/visible-text.ts";

interface Length {
  readonly min: number;
  readonly max: number;
}

/** A user's own text, trimmed and normalized. Its length is in user-perceived characters. */
export const proseField = ({ min, max }: Length): Joi.StringSchema =>
  Joi.string()
    .custom((given: string, helpers) => {
      const trimmed = given.trim();
      // In NFC, a character has at most four code points. Refuse a longer text here, because normalizing it would
      // cost time.
      if (countCharacters(trimmed) > 4 * max) return helpers.error("prose.max");
      if (hasTooManyCombiningMarks(trimmed)) return helpers.error(piledMarksCode);
      const text = trimmed.normalize("NFC").trim();
      const length = countCharacters(text);
      if (length < min) return helpers.error("prose.min");
      if (length > 0 && !isVisible(text)) return helpers.error(blankCode);
      return length > max ? helpers.error("prose.max") : text;
    }, "prose")
    .meta({ jsonSchema: { minLength: min, maxLength: max } })
    .messages({
      ...blankMessage,
      ...piledMarksMessage,
      "prose.min": `{{#label}} must have at least ${min} characters`,
      "prose.max": `{{#label}} must have at most ${max} characters`,
    });
