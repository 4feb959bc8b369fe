import Joi from "joi";

import type { ChallengeAnswer } from "../../shared/auth/login/complete-challenge.ts";
import { login, loginWithCode } from "../../shared/auth/login/login.ts";
import type { PasswordSignInRequest } from "../../shared/auth/login/prove-password.ts";
import {
  requireRegistrationOpen,
  register,
  type Registration,
} from "../../shared/auth/login/registration.ts";
import { emailField } from "../../shared/auth/rules/emails.ts";
import { logout } from "../../shared/auth/sessions/logout.ts";
import { runWithLoginCaps } from "../../shared/auth/throttle/login-limits.ts";
import { createAnswer } from "../http/answer.ts";
import { readSignedCredential } from "../http/authenticate.ts";
import { readSignInClient } from "../http/client.ts";
import {
  challengeCookie,
  createExpiredCookie,
  sessionCookie,
  trustCookie,
} from "../http/cookies.ts";
import { defineRoute } from "../http/route.ts";
import { newAccountFields, honeypotField, secondFactorFields, passwordFields } from "./fields.ts";
import { readChallengeToken } from "./request-challenge.ts";
import { runWithVerifiedPassword } from "./verify-password.ts";
import { viewChallenge, viewSafeUser } from "./views.ts";

export const loginRoutes = [
  defineRoute({
    method: "post",
    path: "/api/v1/auth/login",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Sign in with username and password",
    description:
      "Sets the session cookie and returns the user. If the account has a second factor and the " +
      "browser is not trusted, the response is a challenge instead: send the challenge with a " +
      "code to `POST /auth/login/totp`. Every failed sign-in is 401 `invalid_credentials`, " +
      "whether the username is unknown, the password is wrong or the account is disabled. A " +
      "malformed body is 400 `invalid_request`; the response does not say which field is wrong.",
    limiters: ["login"],
    body: Joi.object<PasswordSignInRequest>({ ...passwordFields, company: honeypotField }),
    bodyFault: "Invalid request",
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "LoginResult", 400: "Error", 401: "Error" },
    handle: async ({ body, request }, context) => {
      const { config } = context;
      const outcome = await runWithVerifiedPassword(body, request, context, (user, client) =>
        login(user, client, context),
      );
      if ("challenge" in outcome) {
        return createAnswer(200, viewChallenge(outcome), {
          cookies: [challengeCookie(outcome, config)],
        });
      }
      const cookies = [sessionCookie(outcome.session, config)];
      return createAnswer(200, { user: viewSafeUser(outcome.user) }, { cookies });
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     TrustLimitReached:
   *       type: object
   *       additionalProperties: false
   *       required: [error, trustLimitReached]
   *       properties:
   *         error: { type: string, example: Too many trusted devices }
   *         trustLimitReached: { type: boolean, enum: [true] }
   */
  defineRoute({
    method: "post",
    path: "/api/v1/auth/login/totp",
    gate: "challenge",
    set: "core",
    tag: "Auth",
    summary: "Complete a sign-in with the second factor",
    description:
      "Sets the session cookie and returns the user. Send the challenge from `POST /auth/login` " +
      "in its cookie, in the field `challenge` or as a bearer token. Send either `code` or " +
      "`recoveryCode` with the challenge. If a recovery code is used, the user is notified by " +
      "e-mail. 401 `invalid_code` if the code is wrong or already used, the second factor is " +
      "locked, or the challenge is unknown, expired or has no attempts left. 409 " +
      "`trust_limit_reached` if the user already trusts the maximum number of browsers: the code " +
      "and the challenge are still valid, so send the same request without `trustDevice`. 400 " +
      "`validation_failed` if `trustDevice` is true and the request contains a recovery code.",
    limiters: ["login"],
    body: Joi.object<ChallengeAnswer & { challenge?: string }>({
      challenge: Joi.string()
        .max(4096)
        .description(
          "The `challenge` from the response of `POST /auth/login`, for clients that do not send " +
            "its cookie.",
        ),
      ...secondFactorFields,
      trustDevice: Joi.boolean().description(
        "Whether to trust this browser: later sign-ins from it skip the second factor.",
      ),
    }).example({ code: "492039", trustDevice: true }),
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "SignedIn", 401: "Error", 409: "TrustLimitReached" },
    handle: async ({ body, request }, context) => {
      const { config } = context;
      const client = readSignInClient(request, context);
      const { user, session, trust } = await runWithLoginCaps(client, context, () =>
        loginWithCode(readChallengeToken(request, body.challenge, config), body, client, context),
      );
      const cookies = [sessionCookie(session, config), createExpiredCookie("challenge", config)];
      if (trust) cookies.push(trustCookie(trust, config));
      return createAnswer(200, { user: viewSafeUser(user) }, { cookies });
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/register",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Register an account",
    description:
      "Creates an account with the role `player`, sets the session cookie and returns the user. " +
      "The e-mail address is not verified. 403 `registration_closed` while the setting " +
      "`registration_enabled` is off; 409 `name_taken` if the username is in use, is reserved or " +
      "is too similar to a staff member's username. 400 `validation_failed` if the username or " +
      "password breaks a rule.",
    limiters: ["register"],
    body: Joi.object<Registration>({
      ...newAccountFields,
      email: emailField(),
      company: honeypotField,
    }),
    sends: { 201: ["Set-Cookie"] },
    answers: { 201: "SafeUser", 403: "Error", 409: "Error" },
    find: (_input, context) => requireRegistrationOpen(context),
    handle: async ({ body, request }, context) => {
      const { user, session } = await register(body, readSignInClient(request, context), context);
      const cookies = [sessionCookie(session, context.config)];
      return createAnswer(201, viewSafeUser(user), { cookies });
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     Ok:
   *       type: object
   *       additionalProperties: false
   *       required: [ok]
   *       properties:
   *         ok: { type: boolean, enum: [true] }
   */
  defineRoute({
    method: "post",
    path: "/api/v1/auth/logout",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Sign out",
    description:
      "Ends the session to which the request's cookie or access token belongs, with all of its " +
      "tokens and event streams, and clears the cookie. If the access token has expired, its " +
      "device session still ends. Trusted browsers stay trusted. If the request has no session, " +
      "the response is the same and nothing changes.",
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "Ok" },
    handle: async ({ request }, context) => {
      const credential = await readSignedCredential(request, context);
      if (credential) await logout(credential, readSignInClient(request, context), context);
      return createAnswer(
        200,
        { ok: true },
        { cookies: [createExpiredCookie("session", context.config)] },
      );
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/auth/me",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Retrieve the signed-in user",
    description:
      "Returns the user, including the e-mail address. Clients can call this operation to check " +
      "whether they are signed in: if not, the response is 401 `not_authenticated`.",
    answers: { 200: "SafeUser" },
    handle: ({ caller }) => viewSafeUser(caller),
  }),
];
