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
      "operation. Other software must not ask users for their password; it signs in through a " +
      "provider. If the account has a second factor, the request must also contain `code` or " +
      "`recoveryCode`. Without either, a correct password is 401 `code_required` with " +
      "`totpRequired`. Any other failed sign-in is 401 `invalid_credentials` or `invalid_code`. " +
      "A malformed body is 400 `invalid_request` and names no field.",
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
      "Returns the next token pair. A refresh token is valid for one use. If it is sent again " +
      `within ${defaultTime("REFRESH_GRACE")} (by default), the response contains the same next ` +
      "refresh token, so a lost response or parallel requests do not sign the user out. 401 " +
      "`refresh_token_overtaken` if the next token has already been used: the device session is " +
      "valid, so continue with the latest pair. 401 `invalid_refresh_token` for any other token " +
      "that is not valid. A used token that is sent again later counts as stolen: the device " +
      "session ends, and the user is notified by e-mail.",
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
      "Ends the device session to which the refresh token belongs, with its access tokens and " +
      "event streams. The response is the same for an unknown or expired token, so the request " +
      "can be repeated.",
    body: refreshBody,
    answers: { 200: "Ok" },
    handle: async ({ body, request }, context) => {
      await mobileLogout(body.refreshToken, clientOf(request, context), context);
      return { ok: true };
    },
  }),
];
