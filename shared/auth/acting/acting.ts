import type { Transaction } from "sequelize";

import type { Context } from "../../context.ts";
import { inTransaction, modelsOf } from "../../db/transaction.ts";
import { AppError, unauthenticated } from "../../errors.ts";
import type { Caller } from "../caller/caller.ts";
import { isDemotion } from "../caller/roles.ts";
import { areStillValid, groundsOf } from "../sessions/admission.ts";
import { holdValidToken } from "../tokens/token-caller.ts";

/**
 * Runs what a caller asks for in one transaction that begins with the caller: the right is asked for
 * again, and whatever would take it away waits until all is done. So a request acts by what its caller
 * may do when it acts.
 * @throws AppError unauthenticated, forbidden when the right was lost since the request was let in
 */
export function actingTransaction<T>(
  actor: Caller,
  context: Pick<Context, "sequelize" | "config">,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(context.sequelize, async (transaction) => {
    await holdRights(actor, transaction, context);
    return work(transaction);
  });
}

/**
 * Holds the caller's rights until the transaction ends. Take it before any other lock of the
 * transaction but that of the set of administrators.
 * @throws AppError unauthenticated, forbidden
 */
export async function holdRights(
  actor: Caller,
  transaction: Transaction,
  context: Pick<Context, "config">,
): Promise<void> {
  const { userId, role } = actor;
  const { User } = modelsOf(transaction);
  const lock = transaction.LOCK.SHARE;
  const user = await User.findByPk(userId, { attributes: ["role"], transaction, lock });
  // A statement that waits for a lock sees other tables as they were before: ask in a later one.
  const isValid = actor.apiToken
    ? await holdValidToken(actor.apiToken.id, transaction)
    : await areStillValid(groundsOf(actor), transaction, context);
  if (!user || !isValid) throw unauthenticated();
  if (!actor.apiToken && isDemotion(role, user.role)) {
    throw new AppError("role_required", "The role that this needs was taken away");
  }
}
