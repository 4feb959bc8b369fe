import Joi from "joi";

import type { Confirmation } from "../../shared/auth/second-factor/confirm-caller.ts";
import { invalidFields } from "../../shared/platform/errors/errors.ts";
import { passwordText, totpCode } from "./credential-fields.ts";

/**
 * How a route confirms that its caller is still the user. `true`: the router takes the account's
 * password or a code from the body, and neither after a recent sign-in. `"always"`: the route's own
 * fields ask for the password or a code, whenever the sign-in was.
 */
export type Confirms = true | "always";

type Body = Joi.ObjectSchema | undefined;

/** The field of the caller's password; `password` is another user's in a body that has one. */
const passwordField = (body: Body): "password" | "currentPassword" =>
  hasField(body, "password") ? "currentPassword" : "password";

const hasField = (body: Body, name: string): boolean =>
  name in ((body?.describe() as Joi.Description & { keys?: object })?.keys ?? {});

/** A route's body with the fields by which its caller confirms. */
export function withConfirmation(body: Body): Joi.ObjectSchema {
  const fields = {
    [passwordField(body)]: passwordText.description(
      "The caller's own password, to confirm the request. Send either the password or `code`.",
    ),
    code: totpCode,
  };
  return body ? body.append(fields) : Joi.object(fields).example({ code: "492039" });
}

/** Takes the confirmation out of a checked body: it is never stored or logged with the rest. */
export type SplitConfirmation = (body: object) => {
  readonly given: Confirmation;
  readonly body: object;
};

/** @param own the route's body without the fields of the confirmation */
export function confirmationSplitter(own: Body): SplitConfirmation {
  const field = passwordField(own);
  return (body) => {
    const { [field]: password, code, ...rest } = body as Readonly<Record<string, string>>;
    if (password !== undefined && code !== undefined) {
      throw invalidFields([{ path: "code", message: `code excludes ${field}` }]);
    }
    if (code !== undefined) return { given: { code }, body: rest };
    return { given: password === undefined ? {} : { password }, body: rest };
  };
}
