import type { AuthProvider } from "../../models/auth/auth-provider.ts";
import { openLine } from "../../shared/auth/providers/ask-provider.ts";
import { openClient } from "../../shared/auth/providers/provider-client.ts";
import { newSignInSecrets, type SignInSecrets } from "../../shared/auth/sso/sign-in-secrets.ts";
import type { ApiContext } from "../context.ts";
import { authenticateBy } from "./strategies/strategies.ts";

/** A browser that is about to leave for a provider. */
export interface Departure {
  /** The provider's own page, with all that it must be told. */
  readonly redirectTo: string;
  readonly secrets: SignInSecrets;
}

/** Prepares a sign-in at a provider. Nothing of it is remembered yet. @throws ProviderFailure */
export async function prepareSignIn(
  provider: AuthProvider,
  context: ApiContext,
): Promise<Departure> {
  const line = openLine(context.config);
  const client = await openClient(provider, line);
  const secrets = newSignInSecrets(client.endpoints.keysUrl !== null);
  const verdict = await authenticateBy(provider.kind, { client, secrets, line }, { query: {} });
  if (!("redirectTo" in verdict)) throw new Error("a strategy did not send the browser anywhere");
  return { redirectTo: verdict.redirectTo, secrets };
}
