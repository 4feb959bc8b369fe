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
import type { FactorFields } from "../../shared/auth/second-factor/second-factor.ts";
import {
  beginEnrollment,
  disableTotp,
  enableTotp,
} from "../../shared/auth/second-factor/totp-enrollment.ts";
import { formatDefaultDuration } from "../description/defaults.ts";
import { readSignInClient } from "../http/client.ts";
import { createExpiredCookie } from "../http/cookies.ts";
import { enteredPasswordField } from "../http/credential-fields.ts";
import { defineRoute } from "../http/route.ts";
import { answerWithReissuedSession } from "./answer-reissued.ts";
import { newUsernameMeta, newPasswordMeta, secondFactorFields, usernameField } from "./fields.ts";
import { viewAccount, viewEnrollment, viewIdentity } from "./views.ts";

const limiters = ["userChange"] as const;

/** Routes for the caller's own account, for every role. */
export const accountRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/auth/me/account",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Retrieve the caller's account",
    description:
      "Returns the id, username and role, and whether the second factor is on. Does not return " +
      "the e-mail address; use `GET /auth/me` for that.",
    answers: { 200: "AccountStatus" },
    handle: ({ caller }) => viewAccount(caller),
  }),
  defineRoute({
    method: "patch",
    path: "/api/v1/auth/me/account/username",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Change the caller's username",
    description:
      "All sessions stay valid. The user is notified by e-mail, and the activity log records the " +
      "old and the new username. 400 `validation_failed` if the name breaks a rule; 409 " +
      "`name_taken` if the name is in use, is reserved or is too similar to a staff member's " +
      "username.",
    limiters,
    body: Joi.object<{ username: string }>({
      username: usernameField.required().meta(newUsernameMeta),
    }),
    answers: { 200: "AccountStatus", 409: "Error" },
    handle: async ({ caller, body, request }, context) =>
      viewAccount(
        await changeUsername(caller, body.username, readSignInClient(request, context), context),
      ),
  }),
  defineRoute({
    method: "patch",
    path: "/api/v1/auth/me/account/password",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Change the caller's password",
    description:
      "Ends all other sessions of the user and removes all trusted browsers. The caller stays " +
      "signed in: a browser receives a new session cookie, a bearer caller a new token pair in " +
      "the response. The user is notified by e-mail. 403 `wrong_password` if `currentPassword` " +
      "is wrong or the account has no password yet. To set a first password, request a reset " +
      "link (`POST /auth/password/forgot`).",
    limiters,
    confirms: "always",
    body: Joi.object<PasswordChange>({
      currentPassword: enteredPasswordField.required(),
      newPassword: Joi.string().required().meta(newPasswordMeta),
    }),
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "Reissued", 403: "Error" },
    handle: async ({ caller, body, request }, context) => {
      const client = readSignInClient(request, context);
      const reissued = await changePassword(caller, body, client, context);
      const cookies = [createExpiredCookie("trust", context.config)];
      return answerWithReissuedSession({ ok: true }, reissued, context.config, cookies);
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/me/account/totp/setup",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Start enrolling a second factor",
    description:
      "Returns a new TOTP secret. The second factor stays off until the first code is sent to " +
      `\`POST /auth/me/account/totp/enable\`, within ${formatDefaultDuration("TOTP_SETUP_TTL")} (by ` +
      "default). A repeated request returns a new secret, and the former secret stops working. " +
      "409 `second_factor_enabled` if the second factor is already on.",
    limiters,
    confirms: true,
    answers: { 200: "TotpSetup", 409: "Error" },
    handle: async ({ caller }, context) => viewEnrollment(await beginEnrollment(caller, context)),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/me/account/totp/enable",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Turn the second factor on",
    description:
      "Confirms the secret from `POST /auth/me/account/totp/setup`. Send the first code that the " +
      "authenticator app shows for the secret. Returns the recovery codes, which are shown only " +
      "once. All sessions stay valid. The user is notified by e-mail. 403 `wrong_code` if the " +
      "code is wrong; 409 `enrolment_not_begun` if the caller has no unconfirmed secret: call " +
      "`POST /auth/me/account/totp/setup` first.",
    limiters,
    confirms: "always",
    body: Joi.object<{ code: string }>({ code: secondFactorFields.code.required() }),
    answers: { 200: "TotpEnabled", 403: "Error", 409: "Error" },
    handle: async ({ caller, body, request }, context) => ({
      totp_enabled: true,
      recoveryCodes: await enableTotp(
        caller,
        body.code,
        readSignInClient(request, context),
        context,
      ),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/me/account/totp/disable",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Turn the second factor off",
    description:
      "Requires either `code` or `recoveryCode`. Deletes the recovery codes, removes all trusted " +
      "browsers and ends all other sessions. The caller stays signed in: a browser receives a " +
      "new session cookie, a bearer caller a new token pair. The user is notified by e-mail. 403 " +
      "`wrong_code` if the code is wrong or already used, or the second factor is locked; 409 " +
      "`second_factor_disabled` if the second factor is off.",
    limiters,
    confirms: "always",
    body: Joi.object<FactorFields>(secondFactorFields).example({ code: "492039" }),
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "TotpDisabled", 403: "Error", 409: "Error" },
    handle: async ({ caller, body, request }, context) => {
      const client = readSignInClient(request, context);
      const reissued = await disableTotp(caller, body, client, context);
      const cookies = [createExpiredCookie("trust", context.config)];
      return answerWithReissuedSession({ totp_enabled: false }, reissued, context.config, cookies);
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/auth/me/account/identities",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "List linked provider accounts",
    description:
      "Returns the accounts at sign-in providers (such as Discord) with which the caller can " +
      "sign in. The accounts are sorted by the time of linking, earliest first.",
    answers: { 200: { listOf: "LinkedIdentity" } },
    handle: async ({ caller }, context) =>
      (await listIdentities(caller.userId, context)).map(viewIdentity),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/auth/me/account/identities/:provider",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Unlink a provider account",
    description:
      "The user can no longer sign in with the unlinked provider account. Existing sessions stay " +
      "valid. 404 `not_found` if the caller has no linked account at the provider, or has " +
      "already unlinked it. 409 `last_sign_in_way` if the user has no password and no other " +
      "provider account with which to sign in.",
    limiters,
    params: Joi.object<{ provider: string }, true>({
      provider: Joi.string()
        .max(64)
        .required()
        .description(
          "Id of the sign-in provider, such as `discord`. `GET /auth/me/account/identities` " +
            "returns the id as `provider`.",
        ),
    }),
    confirms: true,
    answers: { 200: "Unlinked", 404: "Error", 409: "Error" },
    find: ({ caller, params }, context) => findIdentity(caller.userId, params.provider, context),
    handle: async ({ caller, found: identity, request }, context) => {
      const client = readSignInClient(request, context);
      await unlinkIdentity({ caller, client, identity }, context);
      return { unlinked: true };
    },
  }),
];
