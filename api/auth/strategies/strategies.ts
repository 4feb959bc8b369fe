import type { Strategy } from "passport";

import type { ProviderIdentity } from "../../../shared/auth/providers/identities.ts";
import type { UserRow } from "../../../shared/auth/users/users.ts";
import { type PasswordSignIn, passwordStrategy } from "./password.ts";
import type { ProviderSignIn } from "./provider-exchange.ts";
import { type GivenProof, runStrategy, type Verdict } from "./run-strategy.ts";

/** What each strategy is made from, and what it proves. */
interface Strategies {
  readonly password: { readonly from: PasswordSignIn; readonly proven: UserRow };
  readonly oidc: { readonly from: ProviderSignIn; readonly proven: ProviderIdentity };
  readonly oauth2: { readonly from: ProviderSignIn; readonly proven: ProviderIdentity };
}

/** CATALOGUE of strategies: the one place where credentials become an identity. */
const strategies = {
  password: passwordStrategy,
  oidc: async (signIn) => new (await loadOpenIdConnect()).OpenIdConnectStrategy(signIn),
  oauth2: async (signIn) => new (await loadOAuth2()).UserEndpointStrategy(signIn),
} as const satisfies {
  readonly [Name in keyof Strategies]: (
    from: Strategies[Name]["from"],
  ) => Strategy | Promise<Strategy>;
};

// Many sites have providers of one kind or none: what speaks to them is loaded with the first sign-in.
const loadOpenIdConnect = () => import("./openid-connect.ts");
const loadOAuth2 = () => import("./oauth2.ts");

/** Decides on a proof by the strategy that the route names. */
export async function authenticateBy<Name extends keyof Strategies>(
  name: Name,
  from: Strategies[Name]["from"],
  given: GivenProof,
): Promise<Verdict<Strategies[Name]["proven"]>> {
  const make = strategies[name] as (from: Strategies[Name]["from"]) => Strategy | Promise<Strategy>;
  return runStrategy<Strategies[Name]["proven"]>(await make(from), given);
}
