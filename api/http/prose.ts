import Joi from "joi";

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
      const text = given.normalize("NFC").trim();
      const length = Array.from(text).length;
      if (length < min) return helpers.error("prose.min");
      return length > max ? helpers.error("prose.max") : text;
    }, "prose")
    .meta({ jsonSchema: { minLength: min, maxLength: max } })
    .messages({
      "prose.min": `{{#label}} must have at least ${min} characters`,
      "prose.max": `{{#label}} must have at most ${max} characters`,
    });
