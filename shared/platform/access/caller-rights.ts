import { AsyncLocalStorage } from "node:async_hooks";

import type { Transaction } from "sequelize";

/** Checks and locks the rights of the request's caller until the transaction ends. @throws AppError */
export type RightsCheck = (transaction: Transaction) => Promise<void>;

interface RequestRights {
  readonly holdRights: RightsCheck;
  /**
   * True once the request is answered or its command was sent to a game. After that, the request only writes the
   * records of its action.
   */
  isOver: boolean;
}

/** The rights of the request that is being answered. Undefined in jobs and for anonymous callers. */
const current = new AsyncLocalStorage<RequestRights | undefined>();

/** Runs `answer` for a signed-in caller. Each transaction that it begins checks the caller's rights. */
export async function runAsCaller<T>(
  lockRights: RightsCheck,
  answer: () => Promise<T>,
): Promise<T> {
  const acting: RequestRights = { holdRights: lockRights, isOver: false };
  try {
    return await current.run(acting, answer);
  } finally {
    acting.isOver = true;
  }
}

/** Runs `work` after a check that the request's caller still has the rights. */
export async function runWithCheckedRights<T>(
  transaction: Transaction,
  work: () => Promise<T>,
): Promise<T> {
  const acting = current.getStore();
  if (!acting || acting.isOver) return work();
  await acting.holdRights(transaction);
  // A nested transaction must not check the rights: it would wait forever for the outer transaction's locks.
  return runWithoutRightsCheck(work);
}

/**
 * Refuses a change that a request makes without a check of its caller's rights.
 * @throws Error if a signed-in caller's request is being answered
 */
export function assertNoCaller(): void {
  const acting = current.getStore();
  if (acting && !acting.isOver) throw new Error("use inCallersTransaction() to answer a request");
}

/** Runs `work` without a check of rights, for example to record an event that has already happened. */
export const runWithoutRightsCheck = <T>(work: () => Promise<T>): Promise<T> =>
  current.run(undefined, work);

/** Call this before a command is sent to a game. Later writes of the request only record the command's result. */
export function stopRightsChecks(): void {
  const acting = current.getStore();
  if (acting) acting.isOver = true;
}
