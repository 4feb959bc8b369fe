import type { ProviderClient } from "../../../shared/auth/providers/provider-client.ts";
import type { ProviderRequestContext } from "../../../shared/auth/providers/provider-request.ts";
import { codeChallengeOf, type SignInSecrets } from "../../../shared/auth/sso/transactions.ts";

/** One sign-in at one provider, before or after the redirect. */
export interface ProviderSignIn {
  readonly client: ProviderClient;
  readonly secrets: SignInSecrets;
  readonly line: ProviderRequestContext;
  /** True to make the provider ask the user to sign in or choose an account, even if it remembers one. */
  readonly asks: boolean;
}

/** The parameters that protect a sign-in, sent through the browser. */
export const buildSecurityParams = ({ secrets, client, asks }: ProviderSignIn) => ({
  // A provider may remember another user of a shared computer, so make it ask before an account is linked.
  ...(asks && { prompt: client.endpoints.linkPrompt }),
  state: secrets.state,
  code_challenge: codeChallengeOf(secrets.codeVerifier),
  code_challenge_method: "S256",
  ...(secrets.nonce !== null && { nonce: secrets.nonce }),
});

/** Options of both libraries. They do not get the client secret: only our own token request sends it. */
export const clientOptions = ({ client }: ProviderSignIn) => ({
  authorizationURL: client.endpoints.authorizationUrl,
  tokenURL: client.endpoints.tokenUrl,
  clientID: client.clientId,
  clientSecret: "",
  callbackURL: client.callbackUrl,
  ...(client.scopes.length > 0 && { scope: [...client.scopes] }),
});

/**
 * Passes the result or the error of `work` to the callback `done`. If the library throws in `done`, passes that
 * error to `fail`: an uncaught error would end the process.
 */
export async function passResultToCallback<T>(
  work: Promise<T>,
  done: (error: unknown, value?: T) => void,
  fail: (error: Error) => void,
): Promise<void> {
  try {
    const [error, value] = await toResult(work);
    done(error, value);
  } catch (thrown) {
    fail(thrown as Error);
  }
}

async function toResult<T>(work: Promise<T>): Promise<[unknown, T?]> {
  try {
    return [null, await work];
  } catch (error) {
    return [error];
  }
}
