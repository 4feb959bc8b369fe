import type { ProviderLine } from "../../../shared/auth/providers/ask-provider.ts";
import type { ProviderClient } from "../../../shared/auth/providers/provider-client.ts";
import { codeChallengeOf, type SignInSecrets } from "../../../shared/auth/sso/transactions.ts";

/** One sign-in at one provider: on its way there, or back. */
export interface ProviderSignIn {
  readonly client: ProviderClient;
  readonly secrets: SignInSecrets;
  readonly line: ProviderLine;
  /** Whether the provider asks for the password even of a user whom it remembers. */
  readonly asks: boolean;
}

/** What guards a sign-in, for the browser to take along. */
export const guardParams = ({ secrets, client, asks }: ProviderSignIn) => ({
  // A provider remembers the last person of a shared computer: nobody else's account may be linked
  // without a question.
  ...(asks && { prompt: client.endpoints.linkPrompt }),
  state: secrets.state,
  code_challenge: codeChallengeOf(secrets.codeVerifier),
  code_challenge_method: "S256",
  ...(secrets.nonce !== null && { nonce: secrets.nonce }),
});

/** The options that both libraries share. The secret is sent by our own exchange alone. */
export const clientOptions = ({ client }: ProviderSignIn) => ({
  authorizationURL: client.endpoints.authorizationUrl,
  tokenURL: client.endpoints.tokenUrl,
  clientID: client.clientId,
  clientSecret: "",
  callbackURL: client.callbackUrl,
  ...(client.scopes.length > 0 && { scope: [...client.scopes] }),
});

/**
 * Hands a result to a library's callback. The libraries throw in their callbacks, and what is
 * thrown there would end the process: it becomes the error of this sign-in.
 */
export async function deliver<T>(
  work: Promise<T>,
  done: (error: unknown, value?: T) => void,
  fail: (error: Error) => void,
): Promise<void> {
  try {
    const [error, value] = await settled(work);
    done(error, value);
  } catch (thrown) {
    fail(thrown as Error);
  }
}

async function settled<T>(work: Promise<T>): Promise<[unknown, T?]> {
  try {
    return [null, await work];
  } catch (error) {
    return [error];
  }
}
