import { AsyncLocalStorage } from "node:async_hooks";

import type { Transaction } from "sequelize";

/**
 * Asks under a lock for what a request was let in by, and holds it until the transaction ends.
 * @throws AppError unauthenticated, forbidden
 */
export type HoldRights = (transaction: Transaction) => Promise<void>;

interface Acting {
  readonly holdRights: HoldRights;
  /** The request was answered, or what it asked for was sent to a game: the rest only tells of it. */
  isOver: boolean;
}

/** Whose request is being answered; none in jobs, and for whoever is not signed in. */
const current = new AsyncLocalStorage<Acting | undefined>();

/** Answers a request of somebody who was let in: every transaction begun meanwhile asks for their rights. */
export async function actingBy<T>(holdRights: HoldRights, answer: () => Promise<T>): Promise<T> {
  const acting: Acting = { holdRights, isOver: false };
  try {
    return await current.run(acting, answer);
  } finally {
    acting.isOver = true;
  }
}

/** Does what a transaction is for, once its request's caller still may. */
export async function withinRights<T>(
  transaction: Transaction,
  work: () => Promise<T>,
): Promise<T> {
  const acting = current.getStore();
  if (!acting || acting.isOver) return work();
  await acting.holdRights(transaction);
  // They are held until this transaction ends: one begun within it would wait for it.
  return withoutCaller(work);
}

/** Does what must be done whoever may do what by now, as to write down what has happened. */
export const withoutCaller = <T>(work: () => Promise<T>): Promise<T> =>
  current.run(undefined, work);

/** An order leaves for a game: what the request writes from here on tells what came of it. */
export function orderLeaves(): void {
  const acting = current.getStore();
  if (acting) acting.isOver = true;
}
