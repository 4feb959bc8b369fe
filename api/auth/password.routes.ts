import Joi from "joi";

import {
  confirmReset,
  requestReset,
  findResetLink,
  type OpenResetLink,
} from "../../shared/auth/account/password-reset.ts";
import { readSignInClient } from "../http/client.ts";
import { defineRoute } from "../http/route.ts";
import { newAccountFields, mailedLinkTokenField } from "./fields.ts";

const params = Joi.object<{ token: string }, true>({ token: mailedLinkTokenField });

export const passwordRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     Message:
   *       type: object
   *       required: [message]
   *       properties:
   *         message: { type: string, example: 'If an account exists, an e-mail is on its way' }
   */
  defineRoute({
    method: "post",
    path: "/api/v1/auth/password/forgot",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Request a password reset link",
    description:
      "Sends one mail with a link for each account that has this e-mail address. No mail is sent " +
      "if no account has the e-mail address, mail is turned off or the e-mail address has " +
      "received too many mails. The response is the same in all these cases. 400 " +
      "`validation_failed` only if `email` is missing or not a string.",
    limiters: ["forgot"],
    anyText: ["email"],
    body: Joi.object<{ email: string }, true>({
      email: Joi.string()
        .allow("")
        .required()
        .description("The account's e-mail address.")
        .example("robin@example.org"),
    }),
    answers: { 200: "Message" },
    handle: async ({ body, request }, context) => {
      await requestReset(body.email, readSignInClient(request, context), context);
      return { message: "If an account exists, an e-mail is on its way" };
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/auth/password/reset/:token",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Check a password reset link",
    description:
      "Returns the time at which the link expires. The request does not use the link up. 404 " +
      "`invalid_link` if the link is unknown, used or expired, or the account is disabled.",
    limiters: ["reset"],
    params,
    anyText: ["token"],
    answers: { 200: "ResetLink", 404: "Error" },
    handle: async ({ params: { token } }, context) => {
      const { expiresAt } = await findResetLink(token, context);
      return { valid: true, expiresAt };
    },
  }),
  defineRoute<{ token: string }, unknown, { password: string }, "public", OpenResetLink>({
    method: "post",
    path: "/api/v1/auth/password/reset/:token",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Reset a password",
    description:
      "Sets the user's password, even if the account had none. Ends all sessions of the user, " +
      "removes all trusted browsers and invalidates all reset links of the user. The second " +
      "factor stays on, and the user is not signed in. The user is notified by e-mail. 404 " +
      "`invalid_link` if the link is unknown, used or expired. If the password is refused (400 " +
      "`validation_failed`), the link is still valid.",
    limiters: ["reset"],
    params,
    anyText: ["token"],
    body: Joi.object<{ password: string }, true>({ password: newAccountFields.password }),
    answers: { 200: "Ok", 404: "Error" },
    find: ({ params: { token } }, context) => findResetLink(token, context),
    handle: async ({ found, body, request }, context) => {
      await confirmReset(found, body.password, readSignInClient(request, context), context);
      return { ok: true };
    },
  }),
];
