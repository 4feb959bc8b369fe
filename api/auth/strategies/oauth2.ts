import OAuth2Strategy from "passport-oauth2";

import { type ProviderIdentity, readIdentity } from "../../../shared/auth/providers/id-tokens.ts";
import { exchangeProviderCode } from "../../../shared/auth/providers/token-endpoint.ts";
import {
  clientOptions,
  passResultToCallback,
  buildSecurityParams,
  type ProviderSignIn,
} from "./provider-options.ts";

/**
 * A sign-in without ID tokens. Our code requests the token, because the library limits neither the time nor the
 * size of the answer.
 */
export class UserEndpointStrategy extends OAuth2Strategy {
  readonly #signIn: ProviderSignIn;
  #identity: ProviderIdentity | undefined;

  constructor(signIn: ProviderSignIn) {
    super(
      clientOptions(signIn),
      (_accessToken: string, _refreshToken: string, _profile: unknown, done: VerifyCallback) =>
        done(null, this.#identity),
    );
    this.#signIn = signIn;
    const redeem = (code: string, _params: unknown, done: TokensCallback) =>
      this.#redeem(code, done);
    // oxlint-disable-next-line no-underscore-dangle -- a protected member of the library, meant for subclasses
    this._oauth2.getOAuthAccessToken = redeem as OAuth2Strategy["_oauth2"]["getOAuthAccessToken"];
  }

  override authorizationParams(): object {
    return buildSecurityParams(this.#signIn);
  }

  #redeem(code: string, done: TokensCallback): void {
    const { client, secrets, line } = this.#signIn;
    const proven = async () => {
      const tokens = await exchangeProviderCode({ ...secrets, code }, client, line);
      this.#identity = await readIdentity(tokens, client, line);
      return tokens.accessToken;
    };
    void passResultToCallback(
      proven(),
      (error, accessToken) => done(error, accessToken),
      (error) => this.error(error),
    );
  }
}

type VerifyCallback = (error: unknown, user?: ProviderIdentity) => void;
type TokensCallback = (error: unknown, accessToken?: string) => void;
