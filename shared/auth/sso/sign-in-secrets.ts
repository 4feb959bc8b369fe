import { createHash } from "node:crypto";

import { newToken } from "../../platform/crypto/tokens.ts";

/** What one sign-in at a provider is guarded by; each value is used once. */
export interface SignInSecrets {
  /** Comes back with the browser. */
  readonly state: string;
  /** Comes back within the ID token; null where the provider issues none. */
  readonly nonce: string | null;
  /** Shown to the provider with the code (PKCE). */
  readonly codeVerifier: string;
}

export const newSignInSecrets = (hasIdToken: boolean): SignInSecrets => ({
  state: newToken(),
  nonce: hasIdToken ? newToken() : null,
  codeVerifier: newToken(),
});

/** What the provider is told of the verifier beforehand (RFC 7636, S256). */
export const codeChallengeOf = (codeVerifier: string): string =>
  createHash("sha256").update(codeVerifier).digest("base64url");
