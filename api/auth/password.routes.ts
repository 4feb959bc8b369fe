import Joi from "joi";

import { confirmReset, requestReset } from "../../shared/auth/passwords/password-reset.ts";
import { findReset, type LiveReset } from "../../shared/auth/passwords/reset-links.ts";
import { clientOf } from "../http/client.ts";
import { route } from "../http/route.ts";
import { chosenFields, linkToken } from "./fields.ts";

const params = Joi.object<{ token: string }, true>({ token: linkToken });

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
  route({
    method: "post",
    path: "/api/v1/auth/password/forgot",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Ask for a link to reset the password",
    description:
      "Every account with the address is mailed a link of its own. The answer is the same " +
      "whether or not there is one.",
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
      await requestReset(body.email, clientOf(request, context), context);
      return { message: "If an account exists, an e-mail is on its way" };
    },
  }),
  route({
    method: "get",
    path: "/api/v1/auth/password/reset/:token",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Whether a reset link is still good",
    description: "Looking does not use it up.",
    limiters: ["reset"],
    params,
    anyText: ["token"],
    answers: { 200: "ResetLink", 404: "Error" },
    handle: async ({ params: { token } }, context) => {
      const { expiresAt } = await findReset(token, context);
      return { valid: true, expiresAt };
    },
  }),
  route<{ token: string }, unknown, { password: string }, "public", LiveReset>({
    method: "post",
    path: "/api/v1/auth/password/reset/:token",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Set a new password by a reset link",
    description:
      "Ends every session of the user and signs nobody in. Users who only signed in at a provider " +
      "get their first password by it. A password that is refused leaves the link good.",
    limiters: ["reset"],
    params,
    anyText: ["token"],
    body: Joi.object<{ password: string }, true>({ password: chosenFields.password }),
    answers: { 200: "Ok", 404: "Error" },
    find: ({ params: { token } }, context) => findReset(token, context),
    handle: async ({ found, body, request }, context) => {
      await confirmReset(found, body.password, clientOf(request, context), context);
      return { ok: true };
    },
  }),
];
