import Joi from "joi";

import { countCharacters } from "../../shared/auth/password-policy.ts";
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

/** Names of 1 to 64 characters may try: one that nobody may bear fails like an unknown one. */
export const passwordFields = {
  username: Joi.string().min(1).max(64).required(),
  password: passwordText.required(),
};

/** The secret of a mailed link. Whatever it looks like, a dead one is a thing not found. */
export const linkToken = Joi.string().required();

/** Anything at all is taken, so that a program learns nothing from how its bait is refused. */
export const company = Joi.any().description("Leave it out: people do not see this field.");

export const factorFields = {
  code: Joi.string().max(64).description("Six digits of the authenticator app."),
  recoveryCode: Joi.string().max(64).description("One of the codes shown once."),
};

/** What a caller shows to prove that it is still the user; a sign-in of just now does without. */
export const proofFields = {
  password: passwordText,
  code: Joi.string().max(64).description("Six digits of the authenticator app."),
};

/** A form sends its empty field along: the device has no name then. */
export const deviceName = Joi.string()
  .empty("")
  .max(64)
  .allow(null)
  .description("What lists call the device.");
