import type { Request } from "express";

import type { PasswordAttempt } from "../../shared/auth/login/prove-password.ts";
import { wrongCredentials } from "../../shared/auth/rules/refusals.ts";
import type { UserRow } from "../../shared/auth/users/users.ts";
import type { ApiContext } from "../context.ts";
import { clientOf } from "../http/client.ts";
import { authenticateBy } from "./strategies/strategies.ts";

/** The user whose name and password a checked body holds. @throws SignInRefusal */
export async function proveByPassword(
  attempt: PasswordAttempt,
  request: Request,
  context: ApiContext,
): Promise<UserRow> {
  const from = { attempt, client: clientOf(request, context), context };
  const verdict = await authenticateBy("password", from, { body: attempt });
  if ("proven" in verdict) return verdict.proven;
  throw wrongCredentials();
}
