import Joi from "joi";

import type { PasswordAttempt } from "../../shared/auth/login/prove-password.ts";
import { mobileLogin } from "../../shared/auth/mobile/mobile-login.ts";
import { mobileLogout, refresh } from "../../shared/auth/mobile/mobile-refresh.ts";
import type { GivenFactor } from "../../shared/auth/second-factor/second-factor.ts";
import { defaultTime } from "../description/defaults.ts";
import { clientOf } from "../http/client.ts";
import { route } from "../http/route.ts";
import { company, deviceName, factorFields, passwordFields } from "./fields.ts";
import { proveByPassword } from "./prove-by-password.ts";
import { viewTokens } from "./views.ts";

const refreshBody = Joi.object<{ refreshToken: string }, true>({
  refreshToken: Joi.string().max(512).required().description("The one of the last answer."),
});

interface MobileCredentials extends PasswordAttempt, GivenFactor {
  readonly device_name?: string | null;
}

export const mobileRoutes = [
  route({
    method: "post",
    path: "/api/v1/auth/mobile/login",
    gate: "public",
    set: "core",
    tag: "Mobile",
    summary: "Sign in from the app, second factor included",
    description:
      "One request: name, password and, where the account has a second factor, `code` or " +
      "`recoveryCode`. Without it the answer is 401 with `totpRequired`. For the site's own app " +
      "alone: other software must not ask for a password, and signs in through a provider.",
    limiters: ["login"],
    body: Joi.object<MobileCredentials>({
      ...passwordFields,
      ...factorFields,
      device_name: deviceName,
      company,
    }).oxor("code", "recoveryCode"),
    bodyFault: "Invalid request",
    answers: { 200: "MobileTokenResponse", 400: "Error", 401: "MobileLoginRefusal" },
    handle: async ({ body, request }, context) => {
      const { device_name: name = null, code, recoveryCode } = body;
      const proven = await proveByPassword(body, request, context);
      const attempt = { proven, deviceName: name, code, recoveryCode };
      return viewTokens(await mobileLogin(attempt, clientOf(request, context), context));
    },
  }),
  route({
    method: "post",
    path: "/api/v1/auth/mobile/refresh",
    gate: "refresh",
    set: "core",
    tag: "Mobile",
    summary: "The next pair of tokens",
    description:
      `A refresh token is good for one use. Sent again within ${defaultTime("REFRESH_GRACE")} (by ` +
      "default) it gets the same successor, so that a lost answer and several requests at once sign " +
      "nobody out. Once the successor was used, it is refused as `refresh_token_overtaken`: the device " +
      "session lives, and the latest pair is good. Sent again later it ends the whole device session, " +
      "because somebody else may hold it; that is `invalid_refresh_token`, as for any token of no use.",
    limiters: ["refresh"],
    body: refreshBody,
    answers: { 200: "MobileTokenResponse", 401: "Error" },
    handle: async ({ body, request }, context) =>
      viewTokens(await refresh(body.refreshToken, clientOf(request, context), context)),
  }),
  route({
    method: "post",
    path: "/api/v1/auth/mobile/logout",
    gate: "refresh",
    set: "core",
    tag: "Mobile",
    summary: "Sign the device out",
    description: "Ends the device session of the refresh token; the same answer without one.",
    body: refreshBody,
    answers: { 200: "Ok" },
    handle: async ({ body, request }, context) => {
      await mobileLogout(body.refreshToken, clientOf(request, context), context);
      return { ok: true };
    },
  }),
];
