import Joi from "joi";

import { checkAppRequest, findAppProvider } from "../../shared/auth/sso/app-requests.ts";
import { exchangeCode } from "../../shared/auth/sso/mobile-codes.ts";
import { answer } from "../http/answer.ts";
import { clientOf } from "../http/client.ts";
import { route } from "../http/route.ts";
import { countedApart } from "../origin/fetch-metadata.ts";
import { deviceName } from "./fields.ts";
import { departForApp } from "./sso-start.ts";
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
  route({
    method: "get",
    path: "/api/v1/auth/mobile/sso/start",
    gate: "public",
    set: "core",
    tag: "Mobile",
    summary: "Sign in at a provider from the app",
    description:
      "For the system's browser, which the app opens. It comes back to `redirect_uri` with `code` " +
      "or `error` (`access_denied`, `server_error`), and with `state`; at once, where the provider " +
      "fails. The address is compared as a whole with those that are configured.",
    limiters: ["ssoStart"],
    query: Joi.object<StartQuery, true>({
      provider: Joi.string().max(64).required().description("As the list of providers has it."),
      redirect_uri: Joi.string()
        .max(2_048)
        .required()
        .description("Where the app takes its sign-in back.")
        .example("org.guildhall.app://auth/callback"),
      state: Joi.string().min(8).max(512).required().description("Comes back as it is."),
      code_challenge: Joi.string()
        .pattern(/^[A-Za-z0-9_-]{43}$/)
        .messages({
          "string.pattern.base":
            "{{#label}} must be a SHA-256 in base64url, which has 43 characters",
        })
        .required()
        .description("SHA-256 of the verifier, in base64url (RFC 7636).")
        .example("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
      code_challenge_method: Joi.string()
        .valid("S256")
        .required()
        .description("No other is taken."),
    }),
    sends: { 302: ["Set-Cookie"] },
    answers: { 302: "", 400: "Error", 404: "Error" },
    handle: async ({ query, request, response }, context) => {
      const { redirect_uri: redirectUri, state, code_challenge: codeChallenge } = query;
      const app = { redirectUri, state, codeChallenge };
      await checkAppRequest(app, context);
      const counted = countedApart(request, context.config);
      const provider = await findAppProvider(query.provider, counted, context);
      const leaving = { provider, app, request, response };
      return answer(302, null, { headers: { Location: await departForApp(leaving, context) } });
    },
  }),
  route({
    method: "post",
    path: "/api/v1/auth/mobile/sso/exchange",
    gate: "public",
    set: "core",
    tag: "Mobile",
    summary: "Tokens for the code of a sign-in at a provider",
    description:
      "A code is good once, for a minute, and only with the verifier whose hash the app gave at the " +
      "start. Sent twice it ends what it gave. Every refusal has one answer.",
    limiters: ["mobileExchange"],
    body: Joi.object<ExchangeBody>({
      code: Joi.string().max(512).required(),
      code_verifier: verifier.description("The verifier, by the name of RFC 7636."),
      codeVerifier: verifier.description("The same by another name; one of the two is sent."),
      device_name: deviceName,
    })
      .xor("code_verifier", "codeVerifier")
      .example({ code: "kq2tR1y3", code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" }),
    bodyFault: "invalid_grant",
    answers: { 200: "MobileTokenResponse", 400: "Error" },
    handle: async ({ body, request }, context) => {
      const { code, code_verifier: byStandard, codeVerifier, device_name: name = null } = body;
      const exchange = { code, codeVerifier: byStandard ?? codeVerifier ?? "", deviceName: name };
      return viewTokens(await exchangeCode(exchange, clientOf(request, context), context));
    },
  }),
];
