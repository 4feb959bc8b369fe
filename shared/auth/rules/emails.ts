import Joi from "joi";

import type { Fault } from "../../platform/errors/errors.ts";

/**
 * What addresses are compared by. Several users may share one. Lower case alone: names that look
 * alike may be mailboxes of different people, and a mail goes to the address as it was stored.
 */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/**
 * An address somebody may enter, without the space around it; which top-level domains there are is not
 * ours to know.
 */
export const emailField = (): Joi.StringSchema =>
  Joi.string()
    .custom((given: string, helpers) => {
      const address = given.trim();
      if (address.length > longest) return helpers.error("string.max", { limit: longest });
      return well.validate(address).error ? helpers.error("string.email") : address;
    }, "e-mail address")
    .meta({ jsonSchema: { format: "email", maxLength: longest } });

const longest = 254;
const well = Joi.string().email({ tlds: false }).required();

export const isEmail = (text: string): boolean =>
  text.isWellFormed() && !emailField().required().validate(text).error;

/** The faults of an address somebody is to be written to at. */
export const checkEmail = (email: string): Fault[] =>
  isEmail(email) ? [] : [{ path: "email", message: "email must be a valid email" }];

/** An address as it is shown to whoever holds a link: `m…@example.org`. */
export function maskEmail(email: string): string {
  // As people count: half of a pair would be no letter.
  const [first = ""] = email;
  return `${first}…${email.slice(email.lastIndexOf("@"))}`;
}
