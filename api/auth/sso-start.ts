import type { Request, Response } from "express";

import type { AuthProvider } from "../../models/auth/auth-provider.ts";
import { openProviderClient } from "../../shared/auth/providers/provider-client.ts";
import { openRequestContext } from "../../shared/auth/providers/provider-request.ts";
import { buildFailureRedirect, logProviderFailure } from "../../shared/auth/sso/redirects.ts";
import {
  newSignInSecrets,
  type SignInSecrets,
  type AppRequest,
  storeSsoStart,
} from "../../shared/auth/sso/transactions.ts";
import type { ApiContext } from "../context.ts";
import { beginBrowserSession } from "./browser-session.ts";
import { authenticateWithStrategy } from "./strategies/strategies.ts";

/** A browser that starts a sign-in at a provider. */
export interface SsoRequest {
  readonly provider: AuthProvider;
  readonly request: Request;
  readonly response: Response;
}

/** A prepared redirect to a provider, with the secrets that the callback is checked with. */
export interface PreparedSignIn {
  readonly providerId: string;
  /** The URL of the provider's page with all parameters. */
  readonly redirectTo: string;
  readonly secrets: SignInSecrets;
  /** The id of the browser's session. The session begins only after the provider's metadata is loaded. */
  readonly browserId: string;
}

/**
 * Prepares a sign-in and logs a failure of the provider. @throws ProviderFailure
 * @param asks true to make the provider ask for the account even if it remembers one
 */
export async function prepareSignIn(
  ssoRequest: SsoRequest,
  context: ApiContext,
  asks = false,
): Promise<PreparedSignIn> {
  try {
    return await prepareProviderRedirect(ssoRequest, context, asks);
  } catch (failure) {
    logProviderFailure(ssoRequest.provider.id, failure, context);
    throw failure;
  }
}

/** Prepares a sign-in without logging failures. It stores only the browser's session. */
export async function prepareProviderRedirect(
  { provider, request, response }: SsoRequest,
  context: ApiContext,
  asks: boolean,
): Promise<PreparedSignIn> {
  const line = openRequestContext(context);
  const client = await openProviderClient(provider, line);
  const secrets = newSignInSecrets(provider.kind === "oidc");
  const signIn = { client, secrets, line, asks };
  const verdict = await authenticateWithStrategy(provider.kind, signIn, { query: {} });
  if (!("redirectTo" in verdict)) {
    throw new Error("the sign-in strategy returned no URL of the provider");
  }
  const { redirectTo } = verdict;
  const browserId = await beginBrowserSession(request, response, context);
  return { providerId: provider.id, redirectTo, secrets, browserId };
}

/** Starts a sign-in. @returns the provider's URL, or the app's redirect URI after a failure */
export async function startAppSignIn(
  { app, ...ssoRequest }: SsoRequest & { readonly app: AppRequest },
  context: ApiContext,
): Promise<string> {
  try {
    const { redirectTo, ...beginning } = await prepareSignIn(ssoRequest, context);
    await storeSsoStart({ ...beginning, purpose: { mode: "mobile", app } }, context);
    return redirectTo;
  } catch (failure) {
    return buildFailureRedirect({ app, failure }).location;
  }
}
