import Joi from "joi";

import type { Fault } from "../../platform/errors/errors.ts";

/**
 * Returns the key by which addresses are compared. Several users may share one address. Only case is
 * folded: similar addresses may belong to different people, and mail goes to the stored address.
 */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/** An address as entered, without surrounding space. Any top-level domain is accepted. */
export const emailField = (): Joi.StringSchema =>
  Joi.string()
    .custom((given: string, helpers) => {
      const address = given.trim();
      if (address.length > maxEmailLength) {
        return helpers.error("string.max", { limit: maxEmailLength });
      }
      return emailSchema.validate(address).error ? helpers.error("string.email") : address;
    }, "e-mail address")
    .meta({ jsonSchema: { format: "email", maxLength: maxEmailLength } });

const maxEmailLength = 254;
const emailSchema = Joi.string().email({ tlds: false }).required();

export const isEmail = (text: string): boolean =>
  text.isWellFormed() && !emailField().required().validate(text).error;

export const checkEmail = (email: string): Fault[] =>
  isEmail(email) ? [] : [{ path: "email", message: "email must be a valid email" }];

/** Masks an address that a link's page shows: `m…@example.org`. */
export function maskEmail(email: string): string {
  // Take the first code point: half of a surrogate pair is no character.
  const [first = ""] = email;
  return `${first}…${email.slice(email.lastIndexOf("@"))}`;
}
