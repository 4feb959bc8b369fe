import Joi from "joi";

import { roles } from "../../shared/auth/caller/roles.ts";
import {
  acceptInvite,
  findInvite,
  type OpenInvite,
} from "../../shared/auth/invites/accept-invite.ts";
import {
  createInvite,
  listInvites,
  type NewInvite,
  revokeInvite,
} from "../../shared/auth/invites/invites.ts";
import type { PasswordAttempt } from "../../shared/auth/login/prove-password.ts";
import { emailField } from "../../shared/auth/rules/emails.ts";
import { answer } from "../http/answer.ts";
import { clientOf } from "../http/client.ts";
import { sessionCookie } from "../http/cookies.ts";
import { byId } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { chosenFields, company, linkToken } from "./fields.ts";
import { viewInvite, viewMadeInvite, viewOpenInvite, viewSafeUser } from "./views.ts";

const params = Joi.object<{ token: string }, true>({ token: linkToken });

export const invitesRoutes = [
  route({
    method: "get",
    path: "/api/v1/auth/invite/:token",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "What a link invites to",
    description: "Looking does not use it up.",
    limiters: ["invite"],
    params,
    anyText: ["token"],
    answers: { 200: "OpenInvite", 404: "Error" },
    handle: async ({ params: { token } }, context) =>
      viewOpenInvite(await findInvite(token, context)),
  }),
  route<{ token: string }, unknown, PasswordAttempt, "public", OpenInvite>({
    method: "post",
    path: "/api/v1/auth/invite/:token/accept",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Create the account and sign in",
    description:
      "The role is the invitation's, and registration need not be open. A name that is taken " +
      "leaves the invitation good.",
    limiters: ["invite"],
    params,
    anyText: ["token"],
    body: Joi.object<PasswordAttempt>({ ...chosenFields, company }),
    sends: { 201: ["Set-Cookie"] },
    answers: { 201: "SafeUser", 404: "Error", 409: "Error" },
    find: ({ params: { token } }, context) => findInvite(token, context),
    handle: async ({ found, body, request }, context) => {
      const client = clientOf(request, context);
      const { user, session } = await acceptInvite(found, body, client, context);
      const cookies = [sessionCookie(session, context.config)];
      return answer(201, viewSafeUser(user), { cookies });
    },
  }),
  route({
    method: "post",
    path: "/api/v1/admin/invites",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Invite somebody to an account",
    description: "The link is mailed. While mail is off it is answered once, as `acceptUrl`.",
    confirms: true,
    body: Joi.object<NewInvite>({
      email: emailField().description("Required while mail is on."),
      role: Joi.string()
        .valid(...roles)
        .required(),
    }),
    answers: { 201: "MadeInvite" },
    handle: async ({ body, caller }, context) => {
      const made = await createInvite(body, caller, context);
      return answer(201, viewMadeInvite(made, context.config));
    },
  }),
  route({
    method: "get",
    path: "/api/v1/admin/invites",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "The latest invitations",
    answers: { 200: { enveloped: "invites", shape: { listOf: "Invite" } } },
    handle: async (_input, context) => {
      const invites = await listInvites(context);
      return { invites: invites.map(viewInvite) };
    },
  }),
  route({
    method: "delete",
    path: "/api/v1/admin/invites/:id",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Take an invitation back",
    params: byId,
    answers: { 200: "DeletedId", 404: "Error" },
    handle: async ({ params: { id }, caller }, context) => {
      await revokeInvite(id, caller, context);
      return { id };
    },
  }),
];
