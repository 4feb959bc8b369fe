import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { passwordText, totpCode } from "../http/credential-fields.ts";

const { username: nameLength, password: passwordLength } = limits;

/** How long a name may be that somebody chooses; the rest of its rules are told by refusals. */
export const chosenName = {
  jsonSchema: {
    minLength: nameLength.min,
    maxLength: nameLength.max,
    description: "Letters, digits, `.`, `_` and `-` of any script.",
    example: "robin",
  },
};

/** The same of a password. */
export const chosenPassword = {
  jsonSchema: {
    minLength: passwordLength.min,
    maxLength: passwordLength.max,
    description: "Any characters; not the user name, and none of the commonest passwords.",
    example: "a-long-walk-to-Luna",
  },
};

/** Names of 1 to 64 characters may try: one that nobody may bear fails like an unknown one. */
export const passwordFields = {
  username: Joi.string().min(1).max(64).required(),
  password: passwordText.required(),
};

/** The same where an account is made. */
export const chosenFields = {
  username: passwordFields.username.meta(chosenName),
  password: passwordFields.password.meta(chosenPassword),
};

/** The secret of a mailed link. Whatever it looks like, a dead one is a thing not found. */
export const linkToken = Joi.string().required().description("The secret of the mailed link.");

/** Anything at all is taken, so that a program learns nothing from how its bait is refused. */
export const company = Joi.any()
  .description("Leave it out: people do not see this field.")
  .meta({ jsonSchema: { type: "string" } });

export const factorFields = {
  code: totpCode,
  recoveryCode: Joi.string()
    .max(64)
    .description("One of the codes shown once.")
    .example("7K-2M4QX-9TRVA"),
};

/** A form sends its empty field along: the device has no name then. */
export const deviceName = Joi.string()
  .empty("")
  .max(limits.deviceName)
  .allow(null)
  .description("What lists call the device.");
