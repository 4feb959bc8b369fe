import type { Request } from "express";

import type { PasswordSignInRequest } from "../../shared/auth/login/prove-password.ts";
import { wrongCredentialsError } from "../../shared/auth/rules/sign-in-errors.ts";
import { runWithLoginCaps } from "../../shared/auth/throttle/login-limits.ts";
import type { UserRow } from "../../shared/auth/users/users.ts";
import type { SignInClient } from "../../shared/platform/access/caller.ts";
import type { ApiContext } from "../context.ts";
import { readSignInClient } from "../http/client.ts";
import { authenticateWithStrategy } from "./strategies/strategies.ts";

/**
 * Verifies a password, then runs `act`. A refusal by `act` counts as a failed attempt too.
 * @throws SignInRefusal; AppError 429
 */
export function runWithVerifiedPassword<T>(
  attempt: PasswordSignInRequest,
  request: Request,
  context: ApiContext,
  act: (user: UserRow, client: SignInClient) => Promise<T>,
): Promise<T> {
  const client = readSignInClient(request, context);
  const { address } = client;
  return runWithLoginCaps({ username: attempt.username, address }, context, async (proven) => {
    const from = { attempt, client, context };
    const verdict = await authenticateWithStrategy("password", from, { body: attempt });
    if (!("proven" in verdict)) throw wrongCredentialsError();
    proven();
    return act(verdict.proven, client);
  });
}
