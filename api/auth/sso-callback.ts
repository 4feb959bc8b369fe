import type { Request, Response } from "express";

import type { SsoTransaction } from "../../models/auth/sso-transaction.ts";
import { openProviderClient } from "../../shared/auth/providers/provider-client.ts";
import {
  openRequestContext,
  formatProviderError,
  untrustedAnswerError,
} from "../../shared/auth/providers/provider-request.ts";
import { findEnabledProvider } from "../../shared/auth/providers/providers.ts";
import { linkIdentity } from "../../shared/auth/sso/link.ts";
import {
  retrySignIn,
  canRetrySignIn,
  recordDenialAndRedirect,
  buildFailureRedirect,
  logProviderFailure,
  type SsoRedirect,
} from "../../shared/auth/sso/redirects.ts";
import { signInByIdentity } from "../../shared/auth/sso/sign-in.ts";
import {
  appRequestOf,
  ssoEndedError,
  consumeSsoTransaction,
} from "../../shared/auth/sso/transactions.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import { messageOf } from "../../shared/platform/errors/errors.ts";
import type { ApiContext } from "../context.ts";
import { readSignInClient } from "../http/client.ts";
import { readBrowserSession } from "./browser-session.ts";
import { prepareProviderRedirect } from "./sso-start.ts";
import { authenticateWithStrategy } from "./strategies/strategies.ts";

/** The query of a provider's callback. */
export interface CallbackQuery {
  readonly state: string;
  readonly code?: string;
  readonly error?: string;
  readonly error_description?: string;
  readonly iss?: string;
}

export interface SsoCallbackRequest {
  readonly providerId: string;
  readonly query: CallbackQuery;
  readonly caller: Caller | null;
  readonly request: Request;
  readonly response: Response;
}

/** Completes a sign-in that the provider confirmed or denied. @returns the page to redirect to */
export async function completeCallback(
  callbackRequest: SsoCallbackRequest,
  context: ApiContext,
): Promise<SsoRedirect> {
  const { providerId, query, caller, request, response } = callbackRequest;
  const browserId = await readBrowserSession(request, response, context);
  const begun = await consumeSsoTransaction({ providerId, browserId, state: query.state }, context);
  const client = readSignInClient(request, context);
  try {
    const proof = await verifyCallback(begun, query, context);
    if ("denied" in proof) return await recordDenialAndRedirect(begun, client, context);
    const { provider } = proof;
    if ("again" in proof) {
      // Before an identity is linked, the user must choose the account at the provider. After `login_required`,
      // the provider must ask the user to sign in, because otherwise it would report that error again.
      const asks = begun.mode === "link" || query.error === "login_required";
      const departure = await prepareProviderRedirect(
        { provider, request, response },
        context,
        asks,
      );
      return await retrySignIn({ begun, caller, departure }, context);
    }
    const { proven } = proof;
    if (begun.mode !== "link") return await signInByIdentity({ begun, proven, client }, context);
    return await linkIdentity({ begun, provider, proven, caller, client }, context);
  } catch (failure) {
    logProviderFailure(begun.providerId, failure, context);
    return buildFailureRedirect({ app: appRequestOf(begun), failure });
  }
}

/** @throws ProviderFailure if the callback proves no identity; AppError 404 if the provider is disabled */
async function verifyCallback(begun: SsoTransaction, query: CallbackQuery, context: ApiContext) {
  const provider = await findEnabledProvider(begun.providerId, context);
  const line = openRequestContext(context);
  const client = await openProviderClient(provider, line);
  const { state, code, error, error_description: description, iss } = query;
  const { issuer, namesIssuer } = client.endpoints;
  if (iss === undefined ? namesIssuer : iss !== issuer) throw ssoEndedError();
  if (error === "access_denied") return { denied: true } as const;
  if (error !== undefined) {
    if (canRetrySignIn(begun, error)) return { provider, again: true } as const;
    throw untrustedAnswerError(`the provider refused: ${formatProviderError(error, description)}`);
  }
  const { nonce, codeVerifier } = begun;
  const signIn = { client, secrets: { state, nonce, codeVerifier }, line, asks: false };
  const verdict = await runProviderStrategy(provider.kind, signIn, { state, code: code ?? "" });
  if ("proven" in verdict) return { provider, proven: verdict.proven };
  throw untrustedAnswerError(`the provider's answer was refused: ${messageOf(verdict.refused)}`);
}

type AuthenticateParams = Parameters<typeof authenticateWithStrategy<"oidc">>;

/** Turns the libraries' errors into provider failures and rethrows our own. */
async function runProviderStrategy(
  kind: "oidc" | "oauth2",
  signIn: AuthenticateParams[1],
  query: Record<string, string>,
) {
  try {
    const verdict = await authenticateWithStrategy(kind, signIn, { query });
    if ("redirectTo" in verdict) throw untrustedAnswerError("the provider sent no code");
    return verdict;
  } catch (error) {
    throw unwrapError(error);
  }
}

const libraryErrorNames = ["AuthorizationError", "TokenError"];

/** Unwraps our error, or turns a library's own error into a provider failure. */
function unwrapError(error: unknown): unknown {
  const { oauthError, name } = error as { readonly oauthError?: unknown; readonly name?: string };
  if (oauthError !== undefined) return oauthError;
  return libraryErrorNames.includes(name ?? "")
    ? untrustedAnswerError(messageOf(error), error)
    : error;
}
