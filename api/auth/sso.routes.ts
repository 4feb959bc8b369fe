import Joi from "joi";

import type { AuthProvider } from "../../models/auth/auth-provider.ts";
import type { ChallengeAnswer } from "../../shared/auth/login/complete-challenge.ts";
import { findEnabledProvider } from "../../shared/auth/providers/providers.ts";
import { completeSsoChallenge } from "../../shared/auth/sso/complete-sso-challenge.ts";
import { safeReturn } from "../../shared/auth/sso/landings.ts";
import { beginLink } from "../../shared/auth/sso/link.ts";
import { begin } from "../../shared/auth/sso/transactions.ts";
import type { ApiContext } from "../context.ts";
import { answer, type Cookie } from "../http/answer.ts";
import { clientOf } from "../http/client.ts";
import { endedCookie, sessionCookie, ssoChallengeCookie, trustCookie } from "../http/cookies.ts";
import { route } from "../http/route.ts";
import { factorFields } from "./fields.ts";
import { ssoChallengeOf } from "./given-challenge.ts";
import { refusalPage } from "./sso-refusal-page.ts";
import { type CallbackQuery, finishReturn } from "./sso-return.ts";
import { prepareSignIn } from "./sso-start.ts";
import { viewSafeUser } from "./views.ts";

const params = Joi.object<ByProvider["params"], true>({
  provider: Joi.string().max(64).required().description("As the list of providers has it."),
});

interface ByProvider {
  readonly params: { readonly provider: string };
}

const find = ({ params: { provider } }: ByProvider, context: ApiContext): Promise<AuthProvider> =>
  findEnabledProvider(provider, context);

/** Codes and errors of providers are of no length that one could count on. */
const fromProvider = Joi.string().max(8_192);

export const ssoRoutes = [
  route<ByProvider["params"], { returnTo?: string }, undefined, "public", AuthProvider>({
    method: "get",
    path: "/api/v1/auth/sso/:provider/start",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Sign in at a provider",
    description:
      "For browsers: they are sent to the provider, and come back to `returnTo`, a path of this " +
      "site. Only an account that is linked signs in.",
    limiters: ["ssoStart"],
    params,
    query: Joi.object<{ returnTo?: string }>({
      returnTo: Joi.string().allow("").description("Anything but a path of this site is `/`."),
    }),
    sends: { 302: ["Set-Cookie"] },
    answers: { 302: "", 404: "Error", 502: "Error" },
    refusalPage,
    find,
    handle: async ({ found: provider, query, request, response }, context) => {
      const leaving = { provider, request, response };
      const { redirectTo, ...beginning } = await prepareSignIn(leaving, context);
      const purpose = { mode: "login", returnTo: safeReturn(query.returnTo) } as const;
      await begin({ ...beginning, purpose }, context);
      return answer(302, null, { headers: { Location: redirectTo } });
    },
  }),
  route<ByProvider["params"], unknown, undefined, "auth", AuthProvider>({
    method: "post",
    path: "/api/v1/auth/sso/:provider/link",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Begin to link an account at a provider",
    description:
      "Send the browser to `redirectTo`. The provider asks who is there, and the browser comes back " +
      "to `/account`, with `linked` or `error`. A link is over when the user's sessions are ended. " +
      "An account linked under a former issuer of the provider is replaced.",
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
     *         redirectTo: { type: string, description: Where the browser goes from here. }
     */
    answers: { 200: "RedirectTo", 404: "Error", 502: "Error" },
    find,
    handle: async ({ found: provider, caller, request, response }, context) => {
      const depart = () => prepareSignIn({ provider, request, response }, context, true);
      return { redirectTo: await beginLink({ caller, depart }, context) };
    },
  }),
  route<ByProvider["params"], CallbackQuery>({
    method: "get",
    path: "/api/v1/auth/sso/:provider/callback",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Come back from a provider",
    description:
      "Providers send browsers here. The way goes on to a page of the site (signed in, or with " +
      "`sso=totp` or `error`) or to the app's own address. After `temporarily_unavailable` or " +
      "`login_required` it goes to the provider again, once.",
    params,
    query: Joi.object<CallbackQuery>({
      state: Joi.string()
        .max(512)
        .required()
        .description("As the start handed it to the provider."),
      code: fromProvider.description("What proves the sign-in there."),
      error: fromProvider.description("Why there is none: `access_denied` where it was declined."),
      error_description: fromProvider.description("The same in words, for the log."),
      iss: fromProvider.description("Who sends the browser back (RFC 9207)."),
    }).xor("code", "error"),
    sends: { 302: ["Set-Cookie"] },
    answers: { 302: "", 400: "Error", 404: "Error", 502: "Error" },
    refusalPage,
    handle: async ({ params: { provider: providerId }, query, ...rest }, context) => {
      const landing = await finishReturn({ providerId, query, ...rest }, context);
      const { location, session, challenge } = landing;
      const cookies: Cookie[] = [];
      if (session) cookies.push(sessionCookie(session, context.config));
      if (challenge) cookies.push(ssoChallengeCookie(challenge, context.config));
      return answer(302, null, { headers: { Location: location }, cookies });
    },
  }),
  route({
    method: "post",
    path: "/api/v1/auth/sso/totp",
    gate: "challenge",
    set: "core",
    tag: "Auth",
    summary: "Complete a sign-in at a provider with the second factor",
    description:
      "As login/totp; the challenge comes by the cookie `sso_totp` " +
      "(`__Host-sso_totp` over https). A sign-in of the app is " +
      "answered with `redirectTo`, the app's address: the browser is signed in to nothing then, " +
      "and trusted with nothing.",
    limiters: ["login"],
    body: Joi.object<ChallengeAnswer & { challenge?: string }>({
      challenge: Joi.string().max(4096).description("The cookie's value, for clients without it."),
      ...factorFields,
      trustDevice: Joi.boolean().description(
        "Skips the second factor in this browser from now on.",
      ),
    }).example({ code: "492039", trustDevice: true }),
    sends: { 200: ["Set-Cookie"] },
    /**
     * @openapi
     * components:
     *   schemas:
     *     SsoSignedIn:
     *       description: The user, signed in in this browser; or where the app takes over.
     *       oneOf:
     *         - $ref: '#/components/schemas/SafeUser'
     *         - $ref: '#/components/schemas/RedirectTo'
     */
    answers: { 200: "SsoSignedIn", 401: "Error", 409: "TrustLimitReached" },
    handle: async ({ body, request }, context) => {
      const { config } = context;
      const challenge = ssoChallengeOf(request, body.challenge, config);
      const done = await completeSsoChallenge(challenge, body, clientOf(request, context), context);
      const cookies = [endedCookie("ssoChallenge", config)];
      if ("redirectTo" in done) return answer(200, done, { cookies });
      const { user, session, trust } = done;
      cookies.push(sessionCookie(session, config));
      if (trust) cookies.push(trustCookie(trust, config));
      return answer(200, viewSafeUser(user), { cookies });
    },
  }),
];
