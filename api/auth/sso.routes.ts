import Joi from "joi";

import type { AuthProvider } from "../../models/auth/auth-provider.ts";
import type { ChallengeAnswer } from "../../shared/auth/login/complete-challenge.ts";
import { findEnabledProvider } from "../../shared/auth/providers/providers.ts";
import { beginLink } from "../../shared/auth/sso/link.ts";
import { safeReturnPath } from "../../shared/auth/sso/redirects.ts";
import { completeSsoChallenge } from "../../shared/auth/sso/sign-in.ts";
import { storeSsoStart } from "../../shared/auth/sso/transactions.ts";
import { runWithLoginCaps } from "../../shared/auth/throttle/login-limits.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer, type Cookie } from "../http/answer.ts";
import { readSignInClient } from "../http/client.ts";
import {
  createExpiredCookie,
  sessionCookie,
  ssoChallengeCookie,
  trustCookie,
} from "../http/cookies.ts";
import { defineRoute } from "../http/route.ts";
import { secondFactorFields } from "./fields.ts";
import { readSsoChallengeToken } from "./request-challenge.ts";
import { type CallbackQuery, completeCallback } from "./sso-callback.ts";
import { renderRefusalPage } from "./sso-refusal-page.ts";
import { prepareSignIn } from "./sso-start.ts";
import { viewSafeUser } from "./views.ts";

const params = Joi.object<ProviderParams["params"], true>({
  provider: Joi.string()
    .max(64)
    .required()
    .description("Id of the sign-in provider, as `GET /auth/providers` returns it."),
});

interface ProviderParams {
  readonly params: { readonly provider: string };
}

const find = (
  { params: { provider } }: ProviderParams,
  context: ApiContext,
): Promise<AuthProvider> => findEnabledProvider(provider, context);

/** Providers may send long codes and errors. */
const providerText = Joi.string().max(8_192);

export const ssoRoutes = [
  defineRoute<ProviderParams["params"], { returnTo?: string }, undefined, "public", AuthProvider>({
    method: "get",
    path: "/api/v1/auth/sso/:provider/start",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Start a sign-in at a provider",
    description:
      "Open this URL in a browser. The operation redirects to the provider, and the browser then " +
      "returns to `returnTo` with a session cookie. If the account has a second factor and the " +
      "browser is not trusted, the browser returns to `/login?sso=totp` first. The sign-in " +
      "succeeds only with a provider account that is linked to a user; no user is created. " +
      "Browsers receive refusals as an HTML page: 404 `not_found` if the provider is unknown or " +
      "disabled, 502 `provider_failed` if the provider fails.",
    limiters: ["ssoStart"],
    params,
    query: Joi.object<{ returnTo?: string }>({
      returnTo: Joi.string()
        .allow("")
        .description(
          "Path on this site to which the browser returns after the sign-in. Any other value, " +
            "such as a full URL, counts as `/`. Default: `/`.",
        ),
    }),
    sends: { 302: ["Set-Cookie"] },
    answers: { 302: "", 404: "Error", 502: "Error" },
    refusalPage: renderRefusalPage,
    find,
    handle: async ({ found: provider, query, request, response }, context) => {
      const leaving = { provider, request, response };
      const { redirectTo, ...beginning } = await prepareSignIn(leaving, context);
      const purpose = { mode: "login", returnTo: safeReturnPath(query.returnTo) } as const;
      await storeSsoStart({ ...beginning, purpose }, context);
      return createAnswer(302, null, { headers: { Location: redirectTo } });
    },
  }),
  defineRoute<ProviderParams["params"], unknown, undefined, "auth", AuthProvider>({
    method: "post",
    path: "/api/v1/auth/sso/:provider/link",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Start linking a provider account",
    description:
      "Send the browser to `redirectTo`. The provider asks the user to choose an account, and " +
      "the browser returns to `/account` with a query parameter. `linked=<provider>`: the " +
      "account is linked, and the user is notified by e-mail. `error=sso_denied`: the user " +
      "declined. `error=sso_already_linked`: the account is linked to another user, or the user " +
      "has already linked another account at the provider. `error=sso_wrong_session`: the user " +
      "who started the link is no longer signed in with this browser. If the user linked an " +
      "account at this provider before the provider's issuer was changed, the new account " +
      "replaces the former account. 404 `not_found` if the provider is unknown or disabled; 502 " +
      "`provider_failed` if the provider fails.",
    limiters: ["userChange"],
    params,
    confirms: true,
    sends: { 200: ["Set-Cookie"] },
    /**
     * @openapi
     * components:
     *   schemas:
     *     RedirectTo:
     *       type: object
     *       additionalProperties: false
     *       required: [redirectTo]
     *       properties:
     *         redirectTo: { type: string, description: URL to which the client must send the browser next. }
     */
    answers: { 200: "RedirectTo", 404: "Error", 502: "Error" },
    find,
    handle: async ({ found: provider, caller, request, response }, context) => {
      const depart = () => prepareSignIn({ provider, request, response }, context, true);
      return { redirectTo: await beginLink({ caller, depart }, context) };
    },
  }),
  defineRoute<ProviderParams["params"], CallbackQuery>({
    method: "get",
    path: "/api/v1/auth/sso/:provider/callback",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Return from a provider",
    description:
      "Sign-in providers redirect browsers to this operation; clients do not call it. The " +
      "operation redirects to a page of the site (with the session cookie, or with `sso=totp` or " +
      "`error` in the query) or to the app's `redirect_uri`. If the provider reports the error " +
      "`temporarily_unavailable` or `login_required`, the operation redirects to the provider " +
      "once more; after a second such error, the sign-in fails. 400 `sso_ended` if the sign-in " +
      "is unknown, finished or expired, or began in another browser. 404 `not_found` if the " +
      "provider was disabled in the meantime. 502 `provider_failed` if the provider fails.",
    params,
    query: Joi.object<CallbackQuery>({
      state: Joi.string()
        .max(512)
        .required()
        .description("Value that the service sent to the provider when the sign-in started."),
      code: providerText.description("Authorization code from the provider."),
      error: providerText.description(
        "OAuth error, sent instead of a code: `access_denied` if the user declined.",
      ),
      error_description: providerText.description(
        "Description of the error. The service writes the description only to its log.",
      ),
      iss: providerText.description("Issuer of the provider (RFC 9207)."),
    }).xor("code", "error"),
    sends: { 302: ["Set-Cookie"] },
    answers: { 302: "", 400: "Error", 404: "Error", 502: "Error" },
    refusalPage: renderRefusalPage,
    handle: async ({ params: { provider: providerId }, query, ...rest }, context) => {
      const landing = await completeCallback({ providerId, query, ...rest }, context);
      const { location, session, challenge } = landing;
      const cookies: Cookie[] = [];
      if (session) cookies.push(sessionCookie(session, context.config));
      if (challenge) cookies.push(ssoChallengeCookie(challenge, context.config));
      return createAnswer(302, null, { headers: { Location: location }, cookies });
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/sso/totp",
    gate: "challenge",
    set: "core",
    tag: "Auth",
    summary: "Complete a provider sign-in with a code",
    description:
      "Works like `POST /auth/login/totp`, with the challenge in the cookie `sso_totp` " +
      "(`__Host-sso_totp` over https). Sets the session cookie and returns the user. For a " +
      "sign-in that the mobile app started, the response contains `redirectTo` instead: the " +
      "app's URL with the sign-in code. In this case no session cookie is set, and `trustDevice` " +
      "is ignored. 401 `invalid_code` if the code is wrong or already used, the second factor is " +
      "locked, the challenge is not valid, or the provider was disabled. After 409 " +
      "`trust_limit_reached` the code and the challenge are still valid: send the same request " +
      "without `trustDevice`.",
    limiters: ["login"],
    body: Joi.object<ChallengeAnswer & { challenge?: string }>({
      challenge: Joi.string()
        .max(4096)
        .description("Value of the cookie `sso_totp`, for clients that do not send the cookie."),
      ...secondFactorFields,
      trustDevice: Joi.boolean().description(
        "Whether to trust this browser: later sign-ins from it skip the second factor.",
      ),
    }).example({ code: "492039", trustDevice: true }),
    sends: { 200: ["Set-Cookie"] },
    /**
     * @openapi
     * components:
     *   schemas:
     *     SsoSignedIn:
     *       description: >-
     *         The user who is signed in. For a sign-in that the mobile app started: `redirectTo`,
     *         the URL of the app.
     *       oneOf:
     *         - $ref: '#/components/schemas/SafeUser'
     *         - $ref: '#/components/schemas/RedirectTo'
     */
    answers: { 200: "SsoSignedIn", 401: "Error", 409: "TrustLimitReached" },
    handle: async ({ body, request }, context) => {
      const { config } = context;
      const client = readSignInClient(request, context);
      const done = await runWithLoginCaps(client, context, () =>
        completeSsoChallenge(
          readSsoChallengeToken(request, body.challenge, config),
          body,
          client,
          context,
        ),
      );
      const cookies = [createExpiredCookie("ssoChallenge", config)];
      if ("redirectTo" in done) return createAnswer(200, done, { cookies });
      const { user, session, trust } = done;
      cookies.push(sessionCookie(session, config));
      if (trust) cookies.push(trustCookie(trust, config));
      return createAnswer(200, viewSafeUser(user), { cookies });
    },
  }),
];
