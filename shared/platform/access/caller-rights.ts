import { AsyncLocalStorage } from "node:async_hooks";

import type { Transaction } from "sequelize";

/** Checks the request's rights under locks that last until the transaction ends. @throws AppError */
export type LockRights = (transaction: Transaction) => Promise<void>;

interface RequestRights {
  readonly holdRights: LockRights;
  /** True once the request is answered or its command is sent to a game, so that only records follow. */
  isOver: boolean;
}

/** The request that is being answered. Undefined in jobs and for anonymous callers. */
const current = new AsyncLocalStorage<RequestRights | undefined>();

/** Runs `answer` for a signed-in caller. Each transaction that it begins checks the caller's rights. */
export async function runAsCaller<T>(lockRights: LockRights, answer: () => Promise<T>): Promise<T> {
  const acting: RequestRights = { holdRights: lockRights, isOver: false };
  try {
    return await current.run(acting, answer);
  } finally {
    acting.isOver = true;
  }
}

/** Runs `work` after a check that the request's caller still has the rights. */
export async function runWithRights<T>(
  transaction: Transaction,
  work: () => Promise<T>,
): Promise<T> {
  const acting = current.getStore();
  if (!acting || acting.isOver) return work();
  await acting.holdRights(transaction);
  // This transaction holds the locks: a transaction begun inside it would wait for them forever.
  return runWithoutRights(work);
}

/** Runs `work` without a check of rights, for example to record an event that has already happened. */
export const runWithoutRights = <T>(work: () => Promise<T>): Promise<T> =>
  current.run(undefined, work);

/** Call this before a command goes to a game. Later writes of the request record its result unchecked. */
export function stopRightsChecks(): void {
  const acting = current.getStore();
  if (acting) acting.isOver = true;
}
