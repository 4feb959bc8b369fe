/** Types for the parts of the library that this project uses. The library has no types. */
declare module "passport-openidconnect" {
  import type { Strategy as PassportStrategy } from "passport";

  interface StateStore {
    store(this: void, ...given: unknown[]): void;
    verify(this: void, request: unknown, state: unknown, done: RestoreCallback): void;
  }

  /** `context` holds the values that the ID token is compared with. */
  type RestoreCallback = (
    error: unknown,
    context: { nonce: string | null },
    appState?: unknown,
  ) => void;

  interface Options {
    readonly issuer: string;
    readonly authorizationURL: string;
    readonly tokenURL: string;
    readonly clientID: string;
    readonly clientSecret: string;
    readonly callbackURL: string;
    readonly scope?: readonly string[];
    readonly skipUserProfile: boolean;
    readonly store: StateStore;
  }

  type VerifyCallback = (error: unknown, user?: unknown) => void;
  type Verify = (issuer: string, profile: unknown, done: VerifyCallback) => void;

  export type TokensCallback = (
    error: unknown,
    accessToken?: string,
    refreshToken?: string,
    params?: { readonly id_token: unknown },
  ) => void;

  class Strategy implements PassportStrategy {
    authenticate: PassportStrategy["authenticate"];
    /** Passport sets this method on the strategy. */
    error(error: Error): void;
    protected _oauth2: {
      getOAuthAccessToken(this: void, code: string, params: unknown, done: TokensCallback): void;
    };
    constructor(options: Options, verify: Verify);
    authorizationParams(): Readonly<Record<string, string>>;
  }
  export default Strategy;
}
