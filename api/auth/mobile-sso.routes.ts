import Joi from "joi";

import { checkAppRequest, findAppProvider } from "../../shared/auth/sso/app-links.ts";
import { exchangeMobileCode } from "../../shared/auth/sso/mobile-codes.ts";
import { createAnswer } from "../http/answer.ts";
import { readSignInClient } from "../http/client.ts";
import { defineRoute } from "../http/route.ts";
import { listRequestSubjects } from "../origin/fetch-metadata.ts";
import { deviceNameField } from "./fields.ts";
import { startAppSignIn } from "./sso-start.ts";
import { viewTokens } from "./views.ts";

interface StartQuery {
  readonly provider: string;
  readonly redirect_uri: string;
  readonly state: string;
  readonly code_challenge: string;
  readonly code_challenge_method: "S256";
}

interface ExchangeBody {
  readonly code: string;
  readonly code_verifier?: string;
  readonly codeVerifier?: string;
  readonly device_name?: string | null;
}

const verifier = Joi.string().max(512);

export const mobileSsoRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/auth/mobile/sso/start",
    gate: "public",
    set: "core",
    tag: "Mobile",
    summary: "Start a provider sign-in from the app",
    description:
      "The app opens this URL in the system browser. The operation redirects to the provider, " +
      "and the browser returns to `redirect_uri` with `state` and either `code` or `error`. " +
      "`error` is `access_denied` if the user declined, the provider account is not linked to a " +
      "user or the provider was disabled. `error` is `server_error` if the provider failed. If " +
      "the service cannot reach the provider when the sign-in starts, this operation redirects " +
      "to `redirect_uri` immediately, with `server_error`. Exchange the code at `POST " +
      "/auth/mobile/sso/exchange`. 400 `redirect_not_allowed` if `redirect_uri` is not exactly " +
      "one of the URLs that the operator allows; 404 `not_found` if the provider is unknown or " +
      "disabled.",
    limiters: ["ssoStart"],
    query: Joi.object<StartQuery, true>({
      provider: Joi.string()
        .max(64)
        .required()
        .description("Id of the sign-in provider, as `GET /auth/providers` returns it."),
      redirect_uri: Joi.string()
        .max(2_048)
        .required()
        .description("URL of the app to which the browser returns.")
        .example("org.guildhall.app://auth/callback"),
      state: Joi.string()
        .min(8)
        .max(512)
        .required()
        .description(
          "Value that the app chooses. The browser returns this value to the app unchanged.",
        ),
      code_challenge: Joi.string()
        .pattern(/^[A-Za-z0-9_-]{43}$/)
        .messages({
          "string.pattern.base":
            "{{#label}} must be a SHA-256 in base64url, which has 43 characters",
        })
        .required()
        .description("PKCE challenge: SHA-256 of the verifier, in base64url (RFC 7636).")
        .example("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
      code_challenge_method: Joi.string()
        .valid("S256")
        .required()
        .description("Method of the PKCE challenge. Only `S256` is supported."),
    }),
    sends: { 302: ["Set-Cookie"] },
    answers: { 302: "", 400: "Error", 404: "Error" },
    handle: async ({ query, request, response }, context) => {
      const { redirect_uri: redirectUri, state, code_challenge: codeChallenge } = query;
      const app = { redirectUri, state, codeChallenge };
      await checkAppRequest(app, context);
      const counted = listRequestSubjects(request, context.config);
      const provider = await findAppProvider(query.provider, counted, context);
      const leaving = { provider, app, request, response };
      return createAnswer(302, null, {
        headers: { Location: await startAppSignIn(leaving, context) },
      });
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/mobile/sso/exchange",
    gate: "public",
    set: "core",
    tag: "Mobile",
    summary: "Exchange a sign-in code for tokens",
    description:
      "Starts a device session and returns its token pair. A code is valid for one use within a " +
      "minute (by default), and only with the verifier whose hash the app sent to `GET " +
      "/auth/mobile/sso/start`. After a request with a wrong verifier, the code is still valid. " +
      "If the code is sent a second time, the device session that it started ends. Every failed " +
      "exchange, including one with a malformed body, is 400 with the error text `invalid_grant`.",
    limiters: ["mobileExchange"],
    body: Joi.object<ExchangeBody>({
      code: Joi.string().max(512).required(),
      code_verifier: verifier.description("PKCE verifier (RFC 7636)."),
      codeVerifier: verifier.description(
        "Alternative spelling of `code_verifier`. Send exactly one of `code_verifier` and " +
          "`codeVerifier`.",
      ),
      device_name: deviceNameField,
    })
      .xor("code_verifier", "codeVerifier")
      .example({ code: "kq2tR1y3", code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" }),
    bodyFault: "invalid_grant",
    answers: { 200: "MobileTokenResponse", 400: "Error" },
    handle: async ({ body, request }, context) => {
      const { code, code_verifier: byStandard, codeVerifier, device_name: name = null } = body;
      const exchange = { code, codeVerifier: byStandard ?? codeVerifier ?? "", deviceName: name };
      return viewTokens(
        await exchangeMobileCode(exchange, readSignInClient(request, context), context),
      );
    },
  }),
];
