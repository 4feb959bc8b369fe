import Joi from "joi";

import { normalizeUsername } from "../../shared/auth/rules/usernames.ts";
import { limits } from "../../shared/platform/limits.ts";
import { countCharacters, nameText } from "../../shared/platform/texts/visible-text.ts";
import { passwordText, totpCode } from "../http/credential-fields.ts";

const { username: nameLength, password: passwordLength } = limits;

/** How long a name may be that somebody chooses; the rest of its rules are told by refusals. */
export const chosenName = {
  jsonSchema: {
    minLength: nameLength.min,
    maxLength: nameLength.max,
    description:
      "Letters, combining marks and digits of one script, and the characters `.`, `_` and `-`. " +
      "Latin letters may be mixed with one other script, except Cyrillic and Greek. Usernames " +
      "that differ only in case or in the width of characters count as the same username.",
    example: "robin",
  },
};

/** The same of a password. */
export const chosenPassword = {
  jsonSchema: {
    minLength: passwordLength.min,
    maxLength: passwordLength.max,
    description:
      "Any characters are allowed. The username, the site's name and the most common passwords " +
      "are refused. The service normalizes the password to Unicode NFC.",
    example: "a-long-walk-to-Luna",
  },
};

/** Names of so many characters may try: one that nobody may bear fails like an unknown one. */
const longestTry = 64;

/** UTF-16 units of one character in its longest form: a longer text is not even composed. */
const longestForm = 8;

/**
 * A user name as somebody types it, without the space around it. It is counted in the form in which
 * names are stored, so that decomposed letters count as one.
 */
export const typedUsername = Joi.string()
  .custom((given: string, helpers) => {
    const text = given.trim();
    const isLong = text.length > longestForm * longestTry;
    const name = isLong ? text : normalizeUsername(text);
    if (name === "") return helpers.error("string.empty");
    const isTooLong = countCharacters(name) > longestTry;
    return isTooLong ? helpers.error("string.max", { limit: longestTry }) : name;
  }, "user name")
  .meta({ jsonSchema: { minLength: 1, maxLength: longestTry } });

export const passwordFields = {
  username: typedUsername.required(),
  password: passwordText.required(),
};

/** The same where an account is made. */
export const chosenFields = {
  username: passwordFields.username.meta(chosenName),
  password: passwordFields.password.meta(chosenPassword),
};

/** The secret of a mailed link. Whatever it looks like, a dead one is a thing not found. */
export const linkToken = Joi.string()
  .required()
  .description("Secret that is part of the mailed link.");

/** Anything at all is taken, so that a program learns nothing from how its bait is refused. */
export const company = Joi.any()
  .description(
    "Honeypot field for bots. Leave it out: a request with a value in this field is refused.",
  )
  .meta({ jsonSchema: { type: "string" } });

export const factorFields = {
  code: totpCode,
  recoveryCode: Joi.string()
    .max(64)
    .description("An unused recovery code. Case, spaces and dashes are ignored.")
    .example("7K-2M4QX-9TRVA"),
};

/** A form sends its empty field along: the device has no name then. */
export const deviceName = nameText(limits.deviceName)
  .empty("")
  .allow(null)
  .description("Name under which the list of device sessions shows this device.");
