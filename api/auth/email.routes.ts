import Joi from "joi";

import { changeOwnEmail } from "../../shared/auth/account/account.ts";
import { emailField } from "../../shared/auth/rules/emails.ts";
import { readSignInClient } from "../http/client.ts";
import { defineRoute } from "../http/route.ts";
import { viewSafeUser } from "./views.ts";

export const emailRoutes = [
  defineRoute({
    method: "patch",
    path: "/api/v1/auth/me/account/email",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Change the caller's e-mail address",
    description:
      "`null` removes the e-mail address. The service does not verify a new e-mail address, and " +
      "several users may have the same one. Password reset links that were sent before stop " +
      "working, and the service sends a notification to the former e-mail address. If the " +
      "request contains the current e-mail address, nothing changes.",
    limiters: ["userChange"],
    confirms: true,
    body: Joi.object<{ email: string | null }>({ email: emailField().allow(null).required() }),
    answers: { 200: "SafeUser" },
    handle: async ({ caller, body, request }, context) => {
      const client = readSignInClient(request, context);
      return viewSafeUser(await changeOwnEmail(caller, body.email, client, context));
    },
  }),
];
