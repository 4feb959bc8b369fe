import Joi from "joi";

import {
  acceptInvite,
  findInvite,
  type OpenInvite,
  createInvite,
  listInvites,
  type NewInvite,
  revokeInvite,
} from "../../shared/auth/administration/invites.ts";
import type { PasswordSignInRequest } from "../../shared/auth/login/prove-password.ts";
import { emailField } from "../../shared/auth/rules/emails.ts";
import { roles } from "../../shared/platform/access/roles.ts";
import { createAnswer } from "../http/answer.ts";
import { readSignInClient } from "../http/client.ts";
import { sessionCookie } from "../http/cookies.ts";
import { rowIdParams } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { newAccountFields, honeypotField, mailedLinkTokenField } from "./fields.ts";
import { viewInvite, viewCreatedInvite, viewOpenInvite, viewSafeUser } from "./views.ts";

const params = Joi.object<{ token: string }, true>({ token: mailedLinkTokenField });

export const invitesRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/auth/invite/:token",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Retrieve an invitation by its link",
    description:
      "Returns the role, the masked e-mail address and the time at which the invitation expires. " +
      "The request does not use the invitation up. 404 `invalid_link` if the link is unknown, " +
      "used, revoked or expired.",
    limiters: ["invite"],
    params,
    anyText: ["token"],
    answers: { 200: "OpenInvite", 404: "Error" },
    handle: async ({ params: { token } }, context) =>
      viewOpenInvite(await findInvite(token, context)),
  }),
  defineRoute<{ token: string }, unknown, PasswordSignInRequest, "public", OpenInvite>({
    method: "post",
    path: "/api/v1/auth/invite/:token/accept",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Accept an invitation",
    description:
      "Creates an account with the invitation's role and e-mail address, sets the session cookie " +
      "and returns the user. The operation also works while registration is closed. The link " +
      "cannot be used again. 404 `invalid_link` if the link is unknown, used, revoked or " +
      "expired. If the username or password is refused (409 `name_taken`, 400 " +
      "`validation_failed`), the invitation is still valid.",
    limiters: ["invite"],
    params,
    anyText: ["token"],
    body: Joi.object<PasswordSignInRequest>({ ...newAccountFields, company: honeypotField }),
    sends: { 201: ["Set-Cookie"] },
    answers: { 201: "SafeUser", 404: "Error", 409: "Error" },
    find: ({ params: { token } }, context) => findInvite(token, context),
    handle: async ({ found, body, request }, context) => {
      const client = readSignInClient(request, context);
      const { user, session } = await acceptInvite(found, body, client, context);
      const cookies = [sessionCookie(session, context.config)];
      return createAnswer(201, viewSafeUser(user), { cookies });
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/admin/invites",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Invite a person",
    description:
      "Mails a link with which one account can be created until `expiresAt`. While mail is off, " +
      "the response contains the link as `acceptUrl`; the link is not shown again. The " +
      "invitation is revoked if the administrator who created it loses the role or is disabled. " +
      "Each request creates another invitation. 400 `validation_failed` if `email` is missing " +
      "while mail is on.",
    confirms: true,
    body: Joi.object<NewInvite>({
      email: emailField().description(
        "E-mail address that receives the link and becomes the e-mail address of the account. " +
          "Required while mail is on.",
      ),
      role: Joi.string()
        .valid(...roles)
        .required(),
    }),
    answers: { 201: "MadeInvite" },
    handle: async ({ body, caller }, context) => {
      const made = await createInvite(body, caller, context);
      return createAnswer(201, viewCreatedInvite(made, context.config));
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/admin/invites",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "List the invitations",
    description:
      "Returns the newest 500 invitations, newest first. The list includes accepted, revoked and " +
      "expired invitations. Does not return the links.",
    answers: { 200: { enveloped: "invites", shape: { listOf: "Invite" } } },
    handle: async (_input, context) => {
      const invites = await listInvites(context);
      return { invites: invites.map(viewInvite) };
    },
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/admin/invites/:id",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Revoke an invitation",
    description:
      "The link of the invitation stops working. An expired invitation can be revoked as well. " +
      "404 `not_found` if the invitation is unknown, accepted or already revoked.",
    params: rowIdParams,
    answers: { 200: "DeletedId", 404: "Error" },
    handle: async ({ params: { id }, caller }, context) => {
      await revokeInvite(id, caller, context);
      return { id };
    },
  }),
];
