import Joi from "joi";

import { normalizeUsername } from "../../shared/auth/rules/usernames.ts";
import { limits } from "../../shared/platform/limits.ts";
import { countCharacters, nameTextField } from "../../shared/platform/texts/visible-text.ts";
import { enteredPasswordField, totpCodeField } from "../http/credential-fields.ts";

const { username: nameLength, password: passwordLength } = limits;

/** The documented rules of a new user name. The schema checks only the length; sign-up checks the other rules. */
export const newUsernameMeta = {
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

export const newPasswordMeta = {
  jsonSchema: {
    minLength: passwordLength.min,
    maxLength: passwordLength.max,
    description:
      "Any characters are allowed. A password is refused if it is the username, the site's name " +
      "or one of the most common passwords. The service normalizes the password to Unicode NFC.",
    example: "a-long-walk-to-Luna",
  },
};

/** Maximum characters of a name in a sign-in attempt. An invalid name fails like an unknown one. */
const maxTypedLength = 64;

/** Maximum UTF-16 units per character of a typed name. Longer texts are not normalized, to save time. */
const maxUnitsPerCharacter = 8;

/** A typed user name, trimmed and normalized. The maximum length applies to the normalized name. */
export const usernameField = Joi.string()
  .custom((given: string, helpers) => {
    const text = given.trim();
    const isLong = text.length > maxUnitsPerCharacter * maxTypedLength;
    const name = isLong ? text : normalizeUsername(text);
    if (name === "") return helpers.error("string.empty");
    const isTooLong = countCharacters(name) > maxTypedLength;
    return isTooLong ? helpers.error("string.max", { limit: maxTypedLength }) : name;
  }, "user name")
  .meta({ jsonSchema: { minLength: 1, maxLength: maxTypedLength } });

export const passwordFields = {
  username: usernameField.required(),
  password: enteredPasswordField.required(),
};

/** The fields for a new account. */
export const newAccountFields = {
  username: passwordFields.username.meta(newUsernameMeta),
  password: passwordFields.password.meta(newPasswordMeta),
};

/** The secret of a mailed link. A malformed secret is refused like the secret of an invalid link. */
export const mailedLinkTokenField = Joi.string()
  .required()
  .description("Secret that is part of the mailed link.");

/** Accepts any value here, because a validation error would tell a bot that the field is a honeypot. */
export const honeypotField = Joi.any()
  .description(
    "Honeypot field for bots. Leave this field out: a request with a value in this field is " +
      "refused.",
  )
  .meta({ jsonSchema: { type: "string" } });

export const secondFactorFields = {
  code: totpCodeField,
  recoveryCode: Joi.string()
    .max(64)
    .description("An unused recovery code. Case, spaces and dashes are ignored.")
    .example("7K-2M4QX-9TRVA"),
};

/** HTML forms send empty fields. An empty name means that the device has no name. */
export const deviceNameField = nameTextField(limits.deviceName)
  .empty("")
  .allow(null)
  .description("Name under which the list of device sessions shows this device.");
