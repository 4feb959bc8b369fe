import Joi from "joi";

import { changeOwnEmail } from "../../shared/auth/account/account.ts";
import { emailField } from "../../shared/auth/rules/emails.ts";
import { clientOf } from "../http/client.ts";
import { route } from "../http/route.ts";
import { viewSafeUser } from "./views.ts";

export const emailRoutes = [
  route({
    method: "patch",
    path: "/api/v1/auth/me/account/email",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Change the caller's e-mail address",
    description:
      "`null` removes the address. The new address is not verified, and several users may have " +
      "the same address. Earlier password reset links stop working, and the former address is " +
      "notified by e-mail. If the address is the current one, nothing changes.",
    limiters: ["userChange"],
    confirms: true,
    body: Joi.object<{ email: string | null }>({ email: emailField().allow(null).required() }),
    answers: { 200: "SafeUser" },
    handle: async ({ caller, body, request }, context) => {
      const client = clientOf(request, context);
      return viewSafeUser(await changeOwnEmail(caller, body.email, client, context));
    },
  }),
];
