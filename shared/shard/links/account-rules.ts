import Joi from "joi";

/** The login packet of the game's client has thirty bytes for each; the game would cut the rest. */
const longest = 30;

/** The game keeps accounts in files by their name. */
const forbidden = '< > : " / \\ | ? *';

/** A name the game takes for an account; refusals say which of its rules was broken. */
export const accountName = (): Joi.StringSchema =>
  Joi.string()
    .max(longest)
    .custom((name: string, helpers) => {
      if (!/^[\x21-\x7E]*$/.test(name)) return helpers.error("account.characters");
      if (/[<>:"/\\|?*]/.test(name)) return helpers.error("account.forbidden");
      return name.endsWith(".") ? helpers.error("account.end") : name;
    }, "the game's rules for account names")
    .messages({
      "account.characters": "{{#label}} must be letters, digits and signs of ASCII without spaces",
      "account.forbidden": `{{#label}} must hold none of ${forbidden}`,
      "account.end": "{{#label}} must not end with a dot",
    });

/** A password the game takes. */
export const accountPassword = (): Joi.StringSchema =>
  Joi.string()
    .max(longest)
    // A pattern's own message would repeat what was typed.
    .pattern(/^[\x20-\x7E]*$/)
    .messages({ "string.pattern.base": "{{#label}} must be letters, digits and signs of ASCII" });
