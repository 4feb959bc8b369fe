import type { Strategy } from "passport";

import type { ProviderIdentity } from "../../../shared/auth/providers/id-tokens.ts";
import type { UserRow } from "../../../shared/auth/users/users.ts";
import { type PasswordSignIn, passwordStrategy } from "./password.ts";
import type { ProviderSignIn } from "./provider-options.ts";
import { type StrategyInput, runStrategy, type StrategyResult } from "./run-strategy.ts";

/** The input and the proven result of each strategy. */
interface Strategies {
  readonly password: { readonly from: PasswordSignIn; readonly proven: UserRow };
  readonly oidc: { readonly from: ProviderSignIn; readonly proven: ProviderIdentity };
  readonly oauth2: { readonly from: ProviderSignIn; readonly proven: ProviderIdentity };
}

/** CATALOGUE of strategies: the only place where credentials become an identity. */
const strategies = {
  password: passwordStrategy,
  oidc: async (signIn) => new (await loadOpenIdConnect()).OpenIdConnectStrategy(signIn),
  oauth2: async (signIn) => new (await loadOAuth2()).UserEndpointStrategy(signIn),
} as const satisfies {
  readonly [Name in keyof Strategies]: (
    from: Strategies[Name]["from"],
  ) => Strategy | Promise<Strategy>;
};

// Load each library with its first sign-in: many sites have providers of one kind or none.
const loadOpenIdConnect = () => import("./openid-connect.ts");
const loadOAuth2 = () => import("./oauth2.ts");

/** Checks a proof with the named strategy. */
export async function authenticateWithStrategy<Name extends keyof Strategies>(
  name: Name,
  from: Strategies[Name]["from"],
  given: StrategyInput,
): Promise<StrategyResult<Strategies[Name]["proven"]>> {
  const make = strategies[name] as (from: Strategies[Name]["from"]) => Strategy | Promise<Strategy>;
  return runStrategy<Strategies[Name]["proven"]>(await make(from), given);
}
