import type { Transaction } from "sequelize";

import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { sessionRequiredError, unauthenticatedError } from "../../platform/errors/errors.ts";
import { findUser, type LockedUser, lockUser, type UserRow } from "../users/users.ts";
import { AuthorizedUser, basisOfCredential } from "./authorized-user.ts";

/** Locks the caller's row and checks the session. @throws AppError unauthenticated if it has ended */
export async function lockCaller(
  caller: Caller,
  transaction: Transaction,
  context: Context,
): Promise<AuthorizedUser> {
  const user = await lockUser(caller.userId, transaction);
  if (!user) throw unauthenticatedError();
  return authorizeCaller(caller, user, context);
}

/**
 * Checks the session of a caller whose row is locked. API tokens are refused, because new sessions would
 * outlive them.
 * @throws AppError unauthenticated, forbidden for a token
 */
export async function authorizeCaller(
  caller: Caller,
  user: LockedUser,
  context: Context,
): Promise<AuthorizedUser> {
  if (caller.apiToken) throw sessionRequiredError();
  const authorized = await AuthorizedUser.authorize(basisOfCredential(caller), user, context);
  if (!authorized) throw unauthenticatedError();
  return authorized;
}

/** Reads the caller without a lock, to refuse before slow work. @throws AppError unauthenticated */
export async function readCaller(caller: Caller, context: Context): Promise<UserRow> {
  const user = await findUser(caller.userId, context);
  if (user?.generation !== caller.generation || user.disabledAt) throw unauthenticatedError();
  return user;
}
