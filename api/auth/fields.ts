import Joi from "joi";

import { countCharacters } from "../../shared/count-characters.ts";
import { limits } from "../../shared/limits.ts";

interface CharactersRule {
  readonly args: { readonly most: number };
}

/** Joi counts a text in UTF-16 units; descriptions, and people, count its characters. */
const characters = {
  method(this: Joi.StringSchema, most: number) {
    return this.$_addRule({ name: "characters", args: { most } });
  },
  args: ["most"],
  validate: (text: string, helpers: Joi.CustomHelpers, { most }: CharactersRule["args"]) =>
    countCharacters(text) <= most ? text : helpers.error("string.max", { limit: most }),
  jsonSchema: ({ args }: CharactersRule, schema: object) => ({ ...schema, maxLength: args.most }),
};

const counting = Joi.extend({ type: "string", base: Joi.string(), rules: { characters } }) as {
  string(): Joi.StringSchema & { characters(most: number): Joi.StringSchema };
};

/** A password somebody enters; what is asked of one they choose is the policy's. */
export const passwordText = counting.string().characters(limits.password.max);

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

const totpCode = Joi.string()
  .max(64)
  .description("Six digits of the authenticator app.")
  .example("492039");

export const factorFields = {
  code: totpCode,
  recoveryCode: Joi.string()
    .max(64)
    .description("One of the codes shown once.")
    .example("7K-2M4QX-9TRVA"),
};

/** What a caller shows to prove that it is still the user; a sign-in of just now does without. */
export const proofFields = {
  password: passwordText.description("Of the account."),
  code: totpCode,
};

/** A form sends its empty field along: the device has no name then. */
export const deviceName = Joi.string()
  .empty("")
  .max(limits.deviceName)
  .allow(null)
  .description("What lists call the device.");
