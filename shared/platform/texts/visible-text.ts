import Joi from "joi";

/** Drawn as nothing, though Unicode counts them as letters or signs: Braille, music, hieroglyphs. */
const blanks = String.raw`\u2800\u{1D159}\u{13441}\u{13442}`;

const visible = new RegExp(
  String.raw`[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}${blanks}]]`,
  "v",
);

/** Whether a text has a letter, a digit or a sign that is drawn. */
export const isVisible = (text: string): boolean => visible.test(text);

/** The fault of a text that nobody sees, and its words. */
export const blank = "text.blank";
export const blankMessage = { [blank]: "{{#label}} must not be blank" };

/**
 * The fault of a text with a pile of marks on one letter, and its words. Normalization sorts the marks of
 * a letter, and the time for that grows with the square of their number: 100,000 marks take seconds. So
 * such a text is refused before it is normalized. No writing needs more than 30 (UAX 15, Stream-Safe Text).
 */
export const piled = "text.piled";
export const piledMessage = { [piled]: "{{#label}} must have at most 30 marks on a letter" };

const pile = /\p{M}{31}/u;

/** Whether more marks stand on one letter than normalization sorts at once. */
export const isPiled = (text: string): boolean => pile.test(text);

/**
 * THE rule for what something is called: a name, a title, a label, a tag. One that nobody sees is
 * refused. An empty text is up to the field.
 */
export const visibleText = (field: Joi.StringSchema): Joi.StringSchema =>
  field
    .custom(
      (text: string, helpers) => (isVisible(text) ? text : helpers.error(blank)),
      "visible text",
    )
    .messages(blankMessage);

/**
 * What something is called, without the space around it: 1 to `max` characters, one of them visible.
 * The schemas of bodies convert nothing, so Joi's own `trim` would refuse the space.
 */
export const nameText = (max: number): Joi.StringSchema =>
  Joi.string()
    .custom((given: string, helpers) => {
      const text = given.trim();
      if (text === "") return helpers.error("string.empty");
      if (!isVisible(text)) return helpers.error(blank);
      return countCharacters(text) > max ? helpers.error("string.max", { limit: max }) : text;
    }, "visible name without space around it")
    .messages(blankMessage)
    .meta({ jsonSchema: { maxLength: max } });

/** Counted as people count: an emoji is one character. */
export const countCharacters = (text: string): number => Array.from(text).length;
