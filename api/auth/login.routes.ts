import Joi from "joi";

import type { ChallengeAnswer } from "../../shared/auth/complete-challenge.ts";
import { emailField } from "../../shared/auth/emails.ts";
import { login, loginWithCode } from "../../shared/auth/login.ts";
import { logout } from "../../shared/auth/logout.ts";
import type { PasswordAttempt } from "../../shared/auth/prove-password.ts";
import {
  passRegistrationGate,
  register,
  type Registration,
} from "../../shared/auth/registration.ts";
import { answer } from "../http/answer.ts";
import { route } from "../http/route.ts";
import { clientOf } from "./client.ts";
import { challengeCookie, endedCookie, sessionCookie, trustCookie } from "./cookies.ts";
import { company, factorFields, passwordFields } from "./fields.ts";
import { challengeOf } from "./given-challenge.ts";
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
    answers: { 200: "LoginResult", 400: "Error", 401: "Error" },
    handle: async ({ body, request }, context) => {
      const { config } = context;
      const outcome = await login(body, clientOf(request, context), context);
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
      challenge: Joi.string().max(4096),
      ...factorFields,
      trustDevice: Joi.boolean(),
    }),
    answers: { 200: "SignedIn", 401: "Error", 409: "Error" },
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
      ...passwordFields,
      email: emailField(),
      company,
    }),
    answers: { 201: "SafeUser", 403: "Error", 409: "Error" },
    find: (_input, context) => passRegistrationGate(context),
    handle: async ({ body, request }, context) => {
      const { user, session } = await register(body, clientOf(request, context), context);
      const cookies = [sessionCookie(session, context.config)];
      return answer(201, viewSafeUser(user), { cookies });
    },
  }),
  route({
    method: "post",
    path: "/api/v1/auth/logout",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Sign out",
    description: "Ends the session the request came with. Without one nothing happens.",
    answers: { 200: "Ok" },
    handle: async ({ caller, request }, context) => {
      if (caller) await logout(caller, clientOf(request, context), context);
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
