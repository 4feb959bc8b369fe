import type { Transaction } from "sequelize";

import { firstRow } from "../rows.ts";
import { schemaLock } from "./schema-lock.ts";

/**
 * Keeps releases from changing the schema until the transaction ends, for a process that makes or drops
 * tables at work. Several processes may share it.
 * @returns false while a release changes the schema, or waits to do so
 */
export async function shareSchema(transaction: Transaction): Promise<boolean> {
  const lock = await firstRow<{ isShared: boolean }>(
    transaction,
    `select pg_try_advisory_xact_lock_shared($1) as "isShared"`,
    [schemaLock],
  );
  return lock?.isShared === true;
}
