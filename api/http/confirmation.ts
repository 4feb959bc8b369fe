import Joi from "joi";

import type { Confirmation } from "../../shared/auth/second-factor/confirm-caller.ts";
import { invalidFieldsError } from "../../shared/platform/errors/errors.ts";
import { enteredPasswordField, totpCodeField } from "./credential-fields.ts";

/**
 * How a route confirms its caller's identity. `true`: the router requires the password or a code unless the
 * sign-in is recent. `"always"`: the route declares the fields itself and requires them every time.
 */
export type ConfirmationMode = true | "always";

type Body = Joi.ObjectSchema | undefined;

/** The field with the caller's password: `currentPassword` if the route's body already has a field `password`. */
const passwordField = (body: Body): "password" | "currentPassword" =>
  hasField(body, "password") ? "currentPassword" : "password";

const hasField = (body: Body, name: string): boolean =>
  name in ((body?.describe() as Joi.Description & { keys?: object })?.keys ?? {});

/** Adds the confirmation fields to a route's body. */
export function addConfirmationFields(body: Body): Joi.ObjectSchema {
  const fields = {
    [passwordField(body)]: enteredPasswordField.description(
      "The caller's own password, to confirm the request. Send either the password or `code`.",
    ),
    code: totpCodeField,
  };
  return body ? body.append(fields) : Joi.object(fields).example({ code: "492039" });
}

/** Separates the confirmation from the other fields of a checked body, so that it is never stored or logged. */
export type ConfirmationSplitter = (body: object) => {
  readonly given: Confirmation;
  readonly body: object;
};

/** @param own the route's body without the confirmation fields */
export function createConfirmationSplitter(own: Body): ConfirmationSplitter {
  const field = passwordField(own);
  return (body) => {
    const { [field]: password, code, ...rest } = body as Readonly<Record<string, string>>;
    if (password !== undefined && code !== undefined) {
      throw invalidFieldsError([
        { path: "code", message: `code cannot be combined with ${field}` },
      ]);
    }
    if (code !== undefined) return { given: { code }, body: rest };
    return { given: password === undefined ? {} : { password }, body: rest };
  };
}
