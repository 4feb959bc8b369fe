import { Strategy } from "passport-local";

import {
  type PasswordSignInRequest,
  verifyPasswordSignIn,
} from "../../../shared/auth/login/prove-password.ts";
import type { SiteContext } from "../../../shared/ops/site-context.ts";
import type { SignInClient } from "../../../shared/platform/access/caller.ts";
import { passResultToCallback } from "./provider-options.ts";

/** A password sign-in with a validated body. */
export interface PasswordSignIn {
  readonly attempt: PasswordSignInRequest;
  readonly client: SignInClient;
  readonly context: SiteContext;
}

/** Creates the strategy. The library passes only name and password, so read the honeypot from the attempt. */
export const passwordStrategy = ({ attempt, client, context }: PasswordSignIn): Strategy => {
  const { company } = attempt;
  const strategy: Strategy = new Strategy({ session: false }, (username, password, done) => {
    void passResultToCallback(
      verifyPasswordSignIn({ username, password, company }, client, context),
      (error, user) => done(error, user as Express.User | undefined),
      (error) => strategy.error(error),
    );
  });
  return strategy;
};
