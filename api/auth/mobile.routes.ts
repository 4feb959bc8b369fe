import Joi from "joi";

import { mobileLogin, mobileLogout, refreshTokens } from "../../shared/auth/login/mobile.ts";
import type { PasswordSignInRequest } from "../../shared/auth/login/prove-password.ts";
import type { FactorFields } from "../../shared/auth/second-factor/second-factor.ts";
import { formatDefaultDuration } from "../description/defaults.ts";
import { readSignInClient } from "../http/client.ts";
import { defineRoute } from "../http/route.ts";
import { honeypotField, deviceNameField, secondFactorFields, passwordFields } from "./fields.ts";
import { runWithVerifiedPassword } from "./verify-password.ts";
import { viewTokens } from "./views.ts";

const refreshBody = Joi.object<{ refreshToken: string }, true>({
  refreshToken: Joi.string()
    .max(512)
    .required()
    .description("The refresh token of the latest token pair."),
});

interface MobileCredentials extends PasswordSignInRequest, FactorFields {
  readonly device_name?: string | null;
}

export const mobileRoutes = [
  defineRoute({
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
      "`recoveryCode`. If both are missing and the password is correct, the response is 401 " +
      "`code_required`, and its body contains `totpRequired`. 401 `invalid_code` if the password " +
      "is correct but the code is not. Any other failed sign-in is 401 `invalid_credentials`. A " +
      "malformed body is 400 `invalid_request`; the response does not say which field is wrong.",
    limiters: ["login"],
    body: Joi.object<MobileCredentials>({
      ...passwordFields,
      ...secondFactorFields,
      device_name: deviceNameField,
      company: honeypotField,
    }).oxor("code", "recoveryCode"),
    bodyFault: "Invalid request",
    answers: { 200: "MobileTokenResponse", 400: "Error", 401: "MobileLoginRefusal" },
    handle: async ({ body, request }, context) => {
      const { device_name: name = null, code, recoveryCode } = body;
      const signedIn = await runWithVerifiedPassword(body, request, context, (proven, client) =>
        mobileLogin({ proven, deviceName: name, code, recoveryCode }, client, context),
      );
      return viewTokens(signedIn);
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/mobile/refresh",
    gate: "refresh",
    set: "core",
    tag: "Mobile",
    summary: "Refresh the tokens",
    description:
      "Returns the next token pair. A refresh token is valid for one use. If a used token is " +
      `sent again within ${formatDefaultDuration("REFRESH_GRACE")} (by default), the response contains the ` +
      "same next refresh token, so a lost response or parallel requests do not sign the user out. 401 " +
      "`refresh_token_overtaken` if the token is sent again within this time, but the next token " +
      "has already been used: the device session is valid, so continue with the latest pair. A " +
      "used token that is sent again after this time counts as stolen: the device session ends, " +
      "the user is notified by e-mail, and the response is 401 `invalid_refresh_token`. Any " +
      "other invalid token is 401 `invalid_refresh_token` as well.",
    limiters: ["refresh"],
    body: refreshBody,
    answers: { 200: "MobileTokenResponse", 401: "Error" },
    handle: async ({ body, request }, context) =>
      viewTokens(
        await refreshTokens(body.refreshToken, readSignInClient(request, context), context),
      ),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/mobile/logout",
    gate: "refresh",
    set: "core",
    tag: "Mobile",
    summary: "Sign out the device",
    description:
      "Ends the device session to which the refresh token belongs, with its access tokens and " +
      "event streams. If the token is unknown or expired, the response is the same and nothing " +
      "changes, so a client can safely repeat the request.",
    body: refreshBody,
    answers: { 200: "Ok" },
    handle: async ({ body, request }, context) => {
      await mobileLogout(body.refreshToken, readSignInClient(request, context), context);
      return { ok: true };
    },
  }),
];
