import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { unauthenticated } from "../errors.ts";
import type { Caller } from "./caller.ts";
import { findUser, lockUser, type UserRow } from "./users.ts";

/**
 * Locks the caller's own row. The session was checked before; if it was cut off since, what it
 * asks for must not happen any more.
 * @throws AppError unauthenticated
 */
export async function lockCaller(caller: Caller, transaction: Transaction): Promise<UserRow> {
  return standing(caller, await lockUser(caller.userId, transaction));
}

/** The same of a row that is only read: for refusals that come before slow work. */
export async function readCaller(caller: Caller, { sequelize }: Context): Promise<UserRow> {
  return standing(caller, await findUser(caller.userId, sequelize));
}

function standing({ issuedAt }: Caller, user: UserRow | null): UserRow {
  if (!user || user.disabledAt || issuedAt <= user.tokensValidAfter) throw unauthenticated();
  return user;
}
