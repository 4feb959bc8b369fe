import type { Transaction } from "sequelize";

import { unauthenticated } from "../errors.ts";
import type { Caller } from "./caller.ts";
import { lockUser, type UserRow } from "./users.ts";

/**
 * Locks the caller's own row. His session was checked before; if it was cut off since, what it
 * asks for must not happen any more.
 * @throws AppError unauthenticated
 */
export async function lockCaller(
  { userId, issuedAt }: Caller,
  transaction: Transaction,
): Promise<UserRow> {
  const user = await lockUser(userId, transaction);
  if (!user || user.disabledAt || issuedAt <= user.tokensValidAfter) throw unauthenticated();
  return user;
}
