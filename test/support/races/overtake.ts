import { setTimeout as sleep } from "node:timers/promises";

import type { Attributes, Transaction } from "sequelize";

import type { User } from "../../../models/auth/user.ts";
import { type DatabaseHolder, query } from "../database/query.ts";
import { changeUser } from "../factories/users.ts";

/** Changes the data of a user, in the transaction that holds the lock on the user's row. */
export type UserChange = (
  on: DatabaseHolder,
  userId: number,
  held: Transaction,
) => Promise<unknown>;

export const userChangeOf =
  (changes: Partial<Attributes<User>>): UserChange =>
  (on, userId, held) =>
    changeUser(on, userId, changes, held);

/** Waits until this many statements in the database wait for a lock. */
export async function waitUntilLockWaits(on: DatabaseHolder, count = 1): Promise<void> {
  const [row] = await query<{ waiting: number }>(
    on,
    `select count(*)::integer as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  if (row && row.waiting >= count) return;
  await sleep(5);
  await waitUntilLockWaits(on, count);
}

/**
 * Starts a request and waits until it needs the user's row, which is locked. Then changes the row
 * and lets the request continue, so that the request's earlier checks are out of date.
 */
export async function changeUserDuringRequest<T>(
  on: DatabaseHolder,
  { userId, change }: { readonly userId: number; readonly change: UserChange },
  request: () => Promise<T>,
): Promise<T> {
  const { sequelize } = on.context;
  const held = await sequelize.transaction();
  try {
    await on.context.models.User.findByPk(userId, { lock: held.LOCK.UPDATE, transaction: held });
    const answer = request();
    // A request that does not lock the user's row never waits, so stop waiting when it is answered.
    await Promise.race([answer, waitUntilLockWaits(on)]);
    await change(on, userId, held);
    await held.commit();
    return await answer;
  } catch (error) {
    await held.rollback().catch(() => undefined);
    throw error;
  }
}
