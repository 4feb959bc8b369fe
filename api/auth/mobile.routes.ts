import Joi from "joi";

import { type MobileCredentials, mobileLogin } from "../../shared/auth/mobile-login.ts";
import { mobileLogout, refresh } from "../../shared/auth/mobile-refresh.ts";
import { defaultTime } from "../http/defaults.ts";
import { route } from "../http/route.ts";
import { clientOf } from "./client.ts";
import { company, deviceName, factorFields, passwordFields } from "./fields.ts";
import { viewTokens } from "./views.ts";

const refreshBody = Joi.object<{ refreshToken: string }, true>({
  refreshToken: Joi.string().max(512).required(),
});

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
      "`recoveryCode`. Without it the answer is 401 with `totpRequired`.",
    limiters: ["login"],
    body: Joi.object<MobileCredentials & { device_name?: string | null }>({
      ...passwordFields,
      ...factorFields,
      device_name: deviceName,
      company,
    }).oxor("code", "recoveryCode"),
    bodyFault: "Invalid request",
    answers: { 200: "MobileTokenResponse", 400: "Error", 401: "MobileLoginRefusal" },
    handle: async ({ body, request }, context) => {
      const { device_name: name = null, ...credentials } = body;
      const client = clientOf(request, context);
      return viewTokens(await mobileLogin({ ...credentials, deviceName: name }, client, context));
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
      "default) it is refused; sent again later it ends the whole device session, because somebody else may " +
      "hold it.",
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
