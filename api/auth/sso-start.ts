import type { Request, Response } from "express";

import type { AuthProvider } from "../../models/auth/auth-provider.ts";
import { openLine } from "../../shared/auth/providers/ask-provider.ts";
import { openClient } from "../../shared/auth/providers/provider-client.ts";
import { landFailed, logFailure } from "../../shared/auth/sso/landings.ts";
import {
  newSignInSecrets,
  type SignInSecrets,
  type AppRequest,
  begin,
} from "../../shared/auth/sso/transactions.ts";
import type { ApiContext } from "../context.ts";
import { beginBrowserSession } from "./browser-session.ts";
import { authenticateBy } from "./strategies/strategies.ts";

/** A browser that starts a sign-in at a provider. */
export interface Leaving {
  readonly provider: AuthProvider;
  readonly request: Request;
  readonly response: Response;
}

/** The redirect to a provider, with the secrets of the sign-in. */
export interface Departure {
  readonly providerId: string;
  /** The provider's page with all parameters. */
  readonly redirectTo: string;
  readonly secrets: SignInSecrets;
  /** The browser's session, begun after the provider's answer. */
  readonly browserId: string;
}

/**
 * Prepares a sign-in and logs a failure of the provider. @throws ProviderFailure
 * @param asks true to make the provider ask for the account even if it remembers one
 */
export async function prepareSignIn(
  leaving: Leaving,
  context: ApiContext,
  asks = false,
): Promise<Departure> {
  try {
    return await depart(leaving, context, asks);
  } catch (failure) {
    logFailure(leaving.provider.id, failure, context);
    throw failure;
  }
}

/** As `prepareSignIn`, without the log. It stores only the browser's session. */
export async function depart(
  { provider, request, response }: Leaving,
  context: ApiContext,
  asks: boolean,
): Promise<Departure> {
  const line = openLine(context);
  const client = await openClient(provider, line);
  const secrets = newSignInSecrets(provider.kind === "oidc");
  const signIn = { client, secrets, line, asks };
  const verdict = await authenticateBy(provider.kind, signIn, { query: {} });
  if (!("redirectTo" in verdict)) throw new Error("a strategy did not send the browser anywhere");
  const { redirectTo } = verdict;
  const browserId = await beginBrowserSession(request, response, context);
  return { providerId: provider.id, redirectTo, secrets, browserId };
}

/** @returns the provider's URL, or the app's redirect URI after a failure */
export async function departForApp(
  { app, ...leaving }: Leaving & { readonly app: AppRequest },
  context: ApiContext,
): Promise<string> {
  try {
    const { redirectTo, ...beginning } = await prepareSignIn(leaving, context);
    await begin({ ...beginning, purpose: { mode: "mobile", app } }, context);
    return redirectTo;
  } catch (failure) {
    return landFailed({ app, failure }).location;
  }
}
