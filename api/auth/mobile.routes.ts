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
  refreshToken: Joi.string()
    .max(512)
    .required()
    .description("The refresh token of the latest token pair."),
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
    summary: "Sign in from the app",
    description:
      "Starts a device session and returns its token pair. Only the site's own app may use this " +
      "operation: other software must not ask for the password, but sign in through a provider. " +
      "If the account has a second factor, the request needs `code` or `recoveryCode`, too: " +
      "without it a right password is 401 `code_required` with `totpRequired`. Otherwise a " +
      "failed sign-in is 401 `invalid_credentials` or `invalid_code`, and a malformed body 400 " +
      "`invalid_request`, which names no field.",
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
    summary: "Refresh the tokens",
    description:
      "Returns the next token pair; a refresh token is valid for one use. The same token sent " +
      `again within ${defaultTime("REFRESH_GRACE")} (by default) returns the same next refresh ` +
      "token, so lost responses and parallel requests sign nobody out. 401 " +
      "`refresh_token_overtaken` if that next token has been used already: the device session is " +
      "valid, so go on with the latest pair. 401 `invalid_refresh_token` for any other token " +
      "that is not valid. A used token sent again later counts as stolen: it also ends the " +
      "device session, and the user is notified by e-mail.",
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
    summary: "Sign out the device",
    description:
      "Ends the device session of the refresh token, with its access tokens and event streams. " +
      "The response is the same for an unknown or expired token, so the request can be repeated.",
    body: refreshBody,
    answers: { 200: "Ok" },
    handle: async ({ body, request }, context) => {
      await mobileLogout(body.refreshToken, clientOf(request, context), context);
      return { ok: true };
    },
  }),
];
