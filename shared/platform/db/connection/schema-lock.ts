import { Sequelize, type Transaction } from "sequelize";

import { firstRow } from "../rows.ts";
import { requireServerVersion } from "../server.ts";

/**
 * Key of the advisory lock on the schema. A session that changes the schema takes the lock exclusively; a
 * session that needs an unchanged schema shares the lock.
 */
// An arbitrary number that no other lock of this database uses.
export const schemaLockKey = 7_102_026;

/**
 * Proves that the caller may change the schema. Each function that changes the schema for a release requires this
 * argument.
 */
export interface SchemaLock {
  readonly sequelize: Sequelize;
}

/**
 * Removes timeouts: indexing a large table takes long, a backup may have to finish first, and the connection is
 * idle meanwhile. Also needed behind a pooler, where the role has timeouts for requests.
 */
const noTimeoutsSql =
  "set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set client_min_messages = warning";

const lockTries = 5;

/**
 * Runs `work` while no other session changes the schema. A second release waits until `work` has ended. No
 * statement of `work` waits more than three seconds for a table lock.
 * @param url a direct connection
 */
export async function withSchemaLock<T>(
  url: string,
  work: (held: SchemaLock) => Promise<T>,
): Promise<T> {
  const sequelize = await connect(url);
  try {
    await sequelize.query(noTimeoutsSql);
    await sequelize.query("select pg_advisory_lock($1)", { bind: [schemaLockKey] });
    await sequelize.query("set lock_timeout = '3s'");
    sequelize.addHook("beforeConnect", refuseReconnect);
    return await work({ sequelize });
  } finally {
    await sequelize.close();
  }
}

/**
 * Refuses to reconnect after the connection was lost. A new connection would have neither the lock nor the open
 * transaction, so the rest of a migration would be committed without its beginning.
 */
function refuseReconnect(): never {
  throw new Error("the database connection with the lock on the schema was lost");
}

async function connect(url: string): Promise<Sequelize> {
  // Use only one connection, so that its lock and settings apply to every statement.
  const pool = { max: 1, min: 1, idle: 3_600_000 };
  const sequelize = new Sequelize(url, { dialect: "postgres", logging: false, pool });
  try {
    await requireServerVersion(sequelize);
    return sequelize;
  } catch (error) {
    await sequelize.close();
    throw error;
  }
}

/** Repeats `work`, which must be idempotent, after a lock timeout caused by an older release. */
export async function retryWhileLocked<T>(work: () => Promise<T>, tries = lockTries): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !/lock timeout/.test(error.message) || tries <= 1) throw error;
    return retryWhileLocked(work, tries - 1);
  }
}

/**
 * Blocks schema changes until the transaction ends. Use it to create or drop tables outside a release.
 * @returns false if a release changes the schema, or waits to do so
 */
export async function tryShareSchemaLock(transaction: Transaction): Promise<boolean> {
  const lock = await firstRow<{ isShared: boolean }>(
    transaction,
    `select pg_try_advisory_xact_lock_shared($1) as "isShared"`,
    [schemaLockKey],
  );
  return lock?.isShared === true;
}
