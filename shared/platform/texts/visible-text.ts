import Joi from "joi";

/** Blank characters that Unicode counts as letters or symbols: Braille, music, hieroglyphs. */
const blanks = String.raw`\u2800\u{1D159}\u{13441}\u{13442}`;

const visible = new RegExp(
  String.raw`[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}${blanks}]]`,
  "v",
);

/** Returns true if a text has a visible letter, digit or symbol. */
export const isVisible = (text: string): boolean => visible.test(text);

export const blankCode = "text.blank";
export const blankMessage = { [blankCode]: "{{#label}} must not be blank" };

/**
 * Too many marks on one letter. Normalization sorts them in quadratic time: 100,000 marks take seconds.
 * So refuse such a text before normalization. No writing needs more than 30 (UAX 15, Stream-Safe Text).
 */
export const piledMarksCode = "text.piled";
export const piledMarksMessage = {
  [piledMarksCode]: "{{#label}} must have at most 30 marks on a letter",
};

const pile = /\p{M}{31}/u;

export const hasTooManyCombiningMarks = (text: string): boolean => pile.test(text);

/**
 * THE rule for names, titles, labels and tags: they need a visible character, unless the field allows
 * empty text.
 */
export const requireVisibleText = (field: Joi.StringSchema): Joi.StringSchema =>
  field
    .custom(
      (text: string, helpers) => (isVisible(text) ? text : helpers.error(blankCode)),
      "visible text",
    )
    .messages(blankMessage);

/**
 * A name of 1 to `max` characters, at least one of them visible. It trims the text itself: schemas of
 * bodies convert nothing, and Joi's own `trim` would refuse surrounding spaces.
 */
export const nameTextField = (max: number): Joi.StringSchema =>
  Joi.string()
    .custom((given: string, helpers) => {
      const text = given.trim();
      if (text === "") return helpers.error("string.empty");
      if (!isVisible(text)) return helpers.error(blankCode);
      return countCharacters(text) > max ? helpers.error("string.max", { limit: max }) : text;
    }, "visible name without space around it")
    .messages(blankMessage)
    .meta({ jsonSchema: { maxLength: max } });

/** Counts code points, so that a simple emoji counts as one character. */
export const countCharacters = (text: string): number => Array.from(text).length;
