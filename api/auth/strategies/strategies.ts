import type { Strategy } from "passport";

import type { ProviderIdentity } from "../../../shared/auth/providers/identities.ts";
import type { UserRow } from "../../../shared/auth/users/users.ts";
import { UserEndpointStrategy } from "./oauth2.ts";
import { OpenIdConnectStrategy } from "./openid-connect.ts";
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
  oidc: (signIn) => new OpenIdConnectStrategy(signIn),
  oauth2: (signIn) => new UserEndpointStrategy(signIn),
} as const satisfies {
  readonly [Name in keyof Strategies]: (from: Strategies[Name]["from"]) => Strategy;
};

/** Decides on a proof by the strategy that the route names. */
export function authenticateBy<Name extends keyof Strategies>(
  name: Name,
  from: Strategies[Name]["from"],
  given: GivenProof,
): Promise<Verdict<Strategies[Name]["proven"]>> {
  const make = strategies[name] as (from: Strategies[Name]["from"]) => Strategy;
  return runStrategy<Strategies[Name]["proven"]>(make(from), given);
}
