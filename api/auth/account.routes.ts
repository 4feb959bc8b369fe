import Joi from "joi";

import {
  changePassword,
  changeUsername,
  type PasswordChange,
} from "../../shared/auth/account/account.ts";
import {
  findIdentity,
  listIdentities,
  unlinkIdentity,
} from "../../shared/auth/account/identities.ts";
import type { GivenFactor } from "../../shared/auth/second-factor/second-factor.ts";
import {
  beginEnrolment,
  disableTotp,
  enableTotp,
} from "../../shared/auth/second-factor/totp-enrolment.ts";
import { defaultTime } from "../description/defaults.ts";
import { clientOf } from "../http/client.ts";
import { endedCookie } from "../http/cookies.ts";
import { passwordText } from "../http/credential-fields.ts";
import { route } from "../http/route.ts";
import { chosenName, chosenPassword, factorFields, typedUsername } from "./fields.ts";
import { answerReissued } from "./reissued.ts";
import { viewAccount, viewEnrolment, viewIdentity } from "./views.ts";

const limiters = ["userChange"] as const;

/** The caller's own account, whatever their role. */
export const accountRoutes = [
  route({
    method: "get",
    path: "/api/v1/auth/me/account",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "The own account",
    answers: { 200: "AccountStatus" },
    handle: ({ caller }) => viewAccount(caller),
  }),
  route({
    method: "patch",
    path: "/api/v1/auth/me/account/username",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Change the own user name",
    limiters,
    body: Joi.object<{ username: string }>({ username: typedUsername.required().meta(chosenName) }),
    answers: { 200: "AccountStatus", 409: "Error" },
    handle: async ({ caller, body, request }, context) =>
      viewAccount(await changeUsername(caller, body.username, clientOf(request, context), context)),
  }),
  route({
    method: "patch",
    path: "/api/v1/auth/me/account/password",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Change the own password",
    description:
      "Ends every other session and all trust in devices. The caller's own session is issued " +
      "anew: as a cookie, or for a bearer caller as a pair in the answer.",
    limiters,
    confirms: "always",
    body: Joi.object<PasswordChange>({
      currentPassword: passwordText.required(),
      newPassword: Joi.string().required().meta(chosenPassword),
    }),
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "Reissued", 403: "Error" },
    handle: async ({ caller, body, request }, context) => {
      const client = clientOf(request, context);
      const reissued = await changePassword(caller, body, client, context);
      const cookies = [endedCookie("trust", context.config)];
      return answerReissued({ ok: true }, reissued, context.config, cookies);
    },
  }),
  route({
    method: "post",
    path: "/api/v1/auth/me/account/totp/setup",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Begin enrolment of a second factor",
    description:
      "Nothing changes until a first code is sent to totp/enable within " +
      `${defaultTime("TOTP_SETUP_TTL")} (by default).`,
    limiters,
    confirms: true,
    answers: { 200: "TotpSetup", 409: "Error" },
    handle: async ({ caller }, context) => viewEnrolment(await beginEnrolment(caller, context)),
  }),
  route({
    method: "post",
    path: "/api/v1/auth/me/account/totp/enable",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Enable the second factor with a first code",
    description: "Answers the recovery codes, for the one time they are shown.",
    limiters,
    confirms: "always",
    body: Joi.object<{ code: string }>({ code: factorFields.code.required() }),
    answers: { 200: "TotpEnabled", 403: "Error", 409: "Error" },
    handle: async ({ caller, body, request }, context) => ({
      totp_enabled: true,
      recoveryCodes: await enableTotp(caller, body.code, clientOf(request, context), context),
    }),
  }),
  route({
    method: "post",
    path: "/api/v1/auth/me/account/totp/disable",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Disable the second factor",
    description: "Takes a code. Ends every other session and all trust in devices.",
    limiters,
    confirms: "always",
    body: Joi.object<GivenFactor>(factorFields).example({ code: "492039" }),
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "TotpDisabled", 403: "Error", 409: "Error" },
    handle: async ({ caller, body, request }, context) => {
      const client = clientOf(request, context);
      const reissued = await disableTotp(caller, body, client, context);
      const cookies = [endedCookie("trust", context.config)];
      return answerReissued({ totp_enabled: false }, reissued, context.config, cookies);
    },
  }),
  route({
    method: "get",
    path: "/api/v1/auth/me/account/identities",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "The own accounts at sign-in providers",
    answers: { 200: { listOf: "LinkedIdentity" } },
    handle: async ({ caller }, context) =>
      (await listIdentities(caller.userId, context)).map(viewIdentity),
  }),
  route({
    method: "delete",
    path: "/api/v1/auth/me/account/identities/:provider",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Unlink an account at a sign-in provider",
    limiters,
    params: Joi.object<{ provider: string }, true>({
      provider: Joi.string().max(64).required().description("As the list names it."),
    }),
    confirms: true,
    answers: { 200: "Unlinked", 404: "Error", 409: "Error" },
    find: ({ caller, params }, context) => findIdentity(caller.userId, params.provider, context),
    handle: async ({ caller, found: identity, request }, context) => {
      const client = clientOf(request, context);
      await unlinkIdentity({ caller, client, identity }, context);
      return { unlinked: true };
    },
  }),
];
