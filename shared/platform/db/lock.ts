import type { Transaction } from "sequelize";

import { type Database, firstRow, rows } from "./rows.ts";
import type { SqlClient } from "./sql.ts";

/** CATALOGUE of advisory locks. A number must never be reused for another meaning. */
const advisoryLocks = {
  adminSet: 1,
  ingest: 2,
  visibility: 3,
  assets: 4,
  slugs: 5,
  punishments: 6,
  webhooks: 7,
  permissionGroups: 8,
  npcs: 9,
  accounts: 10,
  siteMode: 11,
  titles: 12,
} as const;
export type AdvisoryLock = keyof typeof advisoryLocks;

/** Waits for the named lock, which is held until the transaction ends. */
export async function takeTransactionLock(
  lock: AdvisoryLock,
  transaction: Transaction,
): Promise<void> {
  await rows(transaction, "select pg_advisory_xact_lock($1, 0)", [advisoryLocks[lock]]);
}

/** Waits for the named lock of one subject, which is held until the transaction ends. */
export async function lockSubject(
  lock: AdvisoryLock,
  subject: string,
  database: Database,
): Promise<void> {
  await rows(database, "select pg_advisory_xact_lock($1, hashtext($2))", [
    advisoryLocks[lock],
    subject,
  ]);
}

/** Tries to take the named lock of one subject for the rest of the session. */
export async function tryTakeSessionLock(
  lock: AdvisoryLock,
  subject: string,
  sql: SqlClient,
): Promise<boolean> {
  const row = await firstRow<{ locked: boolean }>(
    sql,
    "select pg_try_advisory_lock($1, hashtext($2)) as locked",
    [advisoryLocks[lock], subject],
  );
  return row?.locked === true;
}
