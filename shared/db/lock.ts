import type { Transaction } from "sequelize";

import { type Sql, sqlOf } from "./sql.ts";

/** CATALOGUE of advisory locks; the numbers must never be reused for another meaning. */
const advisoryLocks = {
  adminSet: 1,
  ingest: 2,
  visibility: 3,
  assets: 4,
} as const;
export type AdvisoryLock = keyof typeof advisoryLocks;

/** Waits for the named lock; it ends with the transaction. */
export async function lockForTransaction(
  lock: AdvisoryLock,
  transaction: Transaction,
): Promise<void> {
  await sqlOf(transaction).query("select pg_advisory_xact_lock($1, 0)", [advisoryLocks[lock]]);
}

/** Tries the named lock of one subject for the life of the session. */
export async function tryLockForSession(
  lock: AdvisoryLock,
  subject: string,
  sql: Sql,
): Promise<boolean> {
  const { rows } = await sql.query<{ locked: boolean }>(
    "select pg_try_advisory_lock($1, hashtext($2)) as locked",
    [advisoryLocks[lock], subject],
  );
  return rows[0]?.locked === true;
}
