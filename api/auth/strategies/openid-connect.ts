import type { JWTPayload } from "jose";
import Strategy, { type GotTokens } from "passport-openidconnect";

import {
  clockToleranceSeconds,
  type ProviderIdentity,
  proveIdToken,
} from "../../../shared/auth/providers/identities.ts";
import { redeemCode } from "../../../shared/auth/providers/token-endpoint.ts";
import { clientOptions, deliver, guardParams, type ProviderSignIn } from "./provider-exchange.ts";

/**
 * OpenID Connect, for one sign-in. The library itself sends no PKCE, verifies no signature, waits
 * and reads without end, and throws outside its callbacks on answers of another shape. So the code
 * is redeemed and its ID token proven by our own means, and the library gets what is proven: its
 * checks of issuer, audience, time and nonce come second.
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
        // The user endpoint is asked with the ID token's proof: here its subject would win unseen.
        skipUserProfile: true,
        store: {
          store: (...given) => (given.at(-1) as Stored)(null, secrets.state),
          verify: (_request, _state, done) => done(null, { nonce: secrets.nonce }),
        },
      },
      (_issuer, _profile, done) => done(null, this.#identity),
    );
    this.#signIn = signIn;
    // oxlint-disable-next-line no-underscore-dangle -- what the library leaves to subclasses
    this._oauth2.getOAuthAccessToken = (code, _params, done) => this.#redeem(code, done);
  }

  override authorizationParams(): Record<string, string> {
    return guardParams(this.#signIn);
  }

  #redeem(code: string, done: GotTokens): void {
    const { client, secrets, line } = this.#signIn;
    const proven = async () => {
      const tokens = await redeemCode({ ...secrets, code }, client, line);
      const { identity, claims } = await proveIdToken(tokens, secrets.nonce, client, line);
      this.#identity = identity;
      return { ...tokens, idToken: withTolerance(claims) };
    };
    const deliverTokens = (error: unknown, tokens?: Awaited<ReturnType<typeof proven>>) =>
      done(error, tokens?.accessToken, undefined, { id_token: tokens?.idToken });
    void deliver(proven(), deliverTokens, (error) => this.error(error));
  }
}

/**
 * What is proven, written for the library, which reads the claims alone. It allows clocks no
 * difference: the end that it sees is as late as our own check allows.
 */
function withTolerance({ exp = 0, ...claims }: JWTPayload): string {
  const seen = JSON.stringify({ ...claims, exp: exp + clockToleranceSeconds });
  return `.${Buffer.from(seen).toString("base64url")}.`;
}

type Stored = (error: null, state: string) => void;
