import Joi from "joi";

import type { ChallengeAnswer } from "../../shared/auth/login/complete-challenge.ts";
import { login, loginWithCode } from "../../shared/auth/login/login.ts";
import type { PasswordAttempt } from "../../shared/auth/login/prove-password.ts";
import {
  passRegistrationGate,
  register,
  type Registration,
} from "../../shared/auth/login/registration.ts";
import { emailField } from "../../shared/auth/rules/emails.ts";
import { logout } from "../../shared/auth/sessions/logout.ts";
import { answer } from "../http/answer.ts";
import { readSignedCredential } from "../http/authenticate.ts";
import { clientOf } from "../http/client.ts";
import { challengeCookie, endedCookie, sessionCookie, trustCookie } from "../http/cookies.ts";
import { route } from "../http/route.ts";
import { chosenFields, company, factorFields, passwordFields } from "./fields.ts";
import { challengeOf } from "./given-challenge.ts";
import { proveByPassword } from "./prove-by-password.ts";
import { viewChallenge, viewSafeUser } from "./views.ts";

export const loginRoutes = [
  route({
    method: "post",
    path: "/api/v1/auth/login",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Sign in with name and password",
    description:
      "Sets the session cookie, or asks for the second factor with a challenge. Every failure has " +
      "one answer.",
    limiters: ["login"],
    body: Joi.object<PasswordAttempt>({ ...passwordFields, company }),
    bodyFault: "Invalid request",
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "LoginResult", 400: "Error", 401: "Error" },
    handle: async ({ body, request }, context) => {
      const { config } = context;
      const proven = await proveByPassword(body, request, context);
      const outcome = await login(proven, clientOf(request, context), context);
      if ("challenge" in outcome) {
        return answer(200, viewChallenge(outcome), { cookies: [challengeCookie(outcome, config)] });
      }
      const cookies = [sessionCookie(outcome.session, config)];
      return answer(200, { user: viewSafeUser(outcome.user) }, { cookies });
    },
  }),
  route({
    method: "post",
    path: "/api/v1/auth/login/totp",
    gate: "challenge",
    set: "core",
    tag: "Auth",
    summary: "Complete a sign-in with the second factor",
    description:
      "The challenge comes by its cookie, in the body or as a bearer token. `code` and " +
      "`recoveryCode` exclude each other; a recovery code trusts no device. At the limit of " +
      "trusted devices nothing is used up: send the same again without `trustDevice`.",
    limiters: ["login"],
    body: Joi.object<ChallengeAnswer & { challenge?: string }>({
      challenge: Joi.string()
        .max(4096)
        .description("The answer of the sign-in, without its cookie."),
      ...factorFields,
      trustDevice: Joi.boolean().description(
        "Skips the second factor in this browser from now on.",
      ),
    }).example({ code: "492039", trustDevice: true }),
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "SignedIn", 401: "Error", 409: "TrustLimitReached" },
    handle: async ({ body, request }, context) => {
      const { config } = context;
      const challenge = challengeOf(request, body.challenge, config);
      const client = clientOf(request, context);
      const { user, session, trust } = await loginWithCode(challenge, body, client, context);
      const cookies = [sessionCookie(session, config), endedCookie("challenge", config)];
      if (trust) cookies.push(trustCookie(trust, config));
      return answer(200, { user: viewSafeUser(user) }, { cookies });
    },
  }),
  route({
    method: "post",
    path: "/api/v1/auth/register",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Create a player's account and sign in",
    description: "Open while the setting `registration_enabled` is on.",
    limiters: ["register"],
    body: Joi.object<Registration>({
      ...chosenFields,
      email: emailField(),
      company,
    }),
    sends: { 201: ["Set-Cookie"] },
    answers: { 201: "SafeUser", 403: "Error", 409: "Error" },
    find: (_input, context) => passRegistrationGate(context),
    handle: async ({ body, request }, context) => {
      const { user, session } = await register(body, clientOf(request, context), context);
      const cookies = [sessionCookie(session, context.config)];
      return answer(201, viewSafeUser(user), { cookies });
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
  route({
    method: "post",
    path: "/api/v1/auth/logout",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Sign out",
    description:
      "Ends the session the request came with, also by a token that was issued anew since or, from " +
      "the app, has expired. Without one nothing happens.",
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "Ok" },
    handle: async ({ request }, context) => {
      const credential = await readSignedCredential(request, context);
      if (credential) await logout(credential, clientOf(request, context), context);
      return answer(200, { ok: true }, { cookies: [endedCookie("session", context.config)] });
    },
  }),
  route({
    method: "get",
    path: "/api/v1/auth/me",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "The signed-in user",
    answers: { 200: "SafeUser" },
    handle: ({ caller }) => viewSafeUser(caller),
  }),
];
