import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { countPasswordCharacters } from "../../shared/platform/texts/typed-text.ts";

interface CharactersRule {
  readonly args: { readonly most: number };
}

/** Counts the characters of the NFC form, as the API description says. Joi would count UTF-16 units. */
const characters = {
  method(this: Joi.StringSchema, most: number) {
    return this.$_addRule({ name: "characters", args: { most } });
  },
  args: ["most"],
  validate: (text: string, helpers: Joi.CustomHelpers, { most }: CharactersRule["args"]) =>
    countPasswordCharacters(text) <= most ? text : helpers.error("string.max", { limit: most }),
  jsonSchema: ({ args }: CharactersRule, schema: object) => ({ ...schema, maxLength: args.most }),
};

const counting = Joi.extend({ type: "string", base: Joi.string(), rules: { characters } }) as {
  string(): Joi.StringSchema & { characters(most: number): Joi.StringSchema };
};

/** A password that a user enters. The password policy checks new passwords. */
export const enteredPasswordField = counting.string().characters(limits.password.max);

export const totpCodeField = Joi.string()
  .max(64)
  .description(
    "Six-digit code from the authenticator app. Spaces, dashes and digits of any script are " +
      "accepted.",
  )
  .example("492039");
