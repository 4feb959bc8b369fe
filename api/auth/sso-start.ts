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

/** A browser that is sent to a provider. */
export interface Leaving {
  readonly provider: AuthProvider;
  readonly request: Request;
  readonly response: Response;
}

/** A browser that is about to leave for a provider. */
export interface Departure {
  readonly providerId: string;
  /** The provider's own page, with all that it must be told. */
  readonly redirectTo: string;
  readonly secrets: SignInSecrets;
  /** The session of the browser, begun once the provider has answered. */
  readonly browserId: string;
}

/**
 * Prepares a sign-in at a provider, and logs why the provider failed.
 * @param asks whether the provider asks who is there, whomever it remembers
 * @throws ProviderFailure
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

/** The same without a line in the log. Nothing is remembered yet but the browser. */
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

/** @returns where the app's browser goes: to the provider, or back to the app when that failed */
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
