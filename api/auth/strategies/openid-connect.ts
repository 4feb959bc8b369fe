import type { JWTPayload } from "jose";
import Strategy, { type TokensCallback } from "passport-openidconnect";

import {
  clockToleranceSeconds,
  type ProviderIdentity,
  verifyIdToken,
} from "../../../shared/auth/providers/id-tokens.ts";
import { exchangeProviderCode } from "../../../shared/auth/providers/token-endpoint.ts";
import {
  clientOptions,
  passResultToCallback,
  buildSecurityParams,
  type ProviderSignIn,
} from "./provider-options.ts";

/**
 * One sign-in with OpenID Connect. The library redirects the browser, receives the code and checks
 * issuer, audience, expiry and nonce. `#redeem` replaces the library's token request to add PKCE, limits
 * of time and size, and the signature check. It verifies the whole ID token and gives the library the
 * verified claims.
 */
export class OpenIdConnectStrategy extends Strategy {
  readonly #signIn: ProviderSignIn;
  #identity: ProviderIdentity | undefined;

  constructor(signIn: ProviderSignIn) {
    const { secrets, client } = signIn;
    super(
      {
        ...clientOptions(signIn),
        issuer: client.endpoints.issuer,
        // `verifyIdToken` requests the profile itself and compares its subject with the ID token's.
        skipUserProfile: true,
        store: {
          store: (...given) => (given.at(-1) as StoreCallback)(null, secrets.state),
          verify: (_request, _state, done) => done(null, { nonce: secrets.nonce }),
        },
      },
      (_issuer, _profile, done) => done(null, this.#identity),
    );
    this.#signIn = signIn;
    // oxlint-disable-next-line no-underscore-dangle -- a protected member of the library, meant for subclasses
    this._oauth2.getOAuthAccessToken = (code, _params, done) => this.#redeem(code, done);
  }

  override authorizationParams(): Record<string, string> {
    return buildSecurityParams(this.#signIn);
  }

  #redeem(code: string, done: TokensCallback): void {
    const { client, secrets, line } = this.#signIn;
    const proven = async () => {
      const tokens = await exchangeProviderCode({ ...secrets, code }, client, line);
      const { identity, claims } = await verifyIdToken(tokens, secrets.nonce, client, line);
      this.#identity = identity;
      return { ...tokens, idToken: encodeVerifiedClaims(claims) };
    };
    const deliverTokens = (error: unknown, tokens?: Awaited<ReturnType<typeof proven>>) =>
      done(error, tokens?.accessToken, undefined, { id_token: tokens?.idToken });
    void passResultToCallback(proven(), deliverTokens, (error) => this.error(error));
  }
}

/**
 * Writes verified claims as a token for the library, which parses only the payload of the token. The library
 * allows no clock skew, so the expiry is extended by the skew that our check allows.
 */
function encodeVerifiedClaims({ exp = 0, ...claims }: JWTPayload): string {
  const seen = JSON.stringify({ ...claims, exp: exp + clockToleranceSeconds });
  return `.${Buffer.from(seen).toString("base64url")}.`;
}

type StoreCallback = (error: null, state: string) => void;
