import { Sequelize, type Transaction } from "sequelize";

import { firstRow } from "../rows.ts";
import { requireServerVersion } from "../server.ts";

/** Held exclusively to change the schema; held shared to keep it unchanged. */
// An arbitrary number that no other lock of this database uses.
export const schemaLockKey = 7_102_026;

/** The exclusive right to change the schema, an argument of every function that changes it for a release. */
export interface SchemaLock {
  readonly sequelize: Sequelize;
}

/**
 * Indexing a large table takes long, a backup may have to finish first, and the connection idles
 * meanwhile. Behind a pooler, the role would impose the timeouts of requests.
 */
const noTimeoutsSql =
  "set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set client_min_messages = warning";

const lockTries = 5;

/**
 * Runs `work` while no other session changes the schema. A second release waits. No statement of the
 * session waits more than three seconds for a table lock. @param url a direct connection
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
 * The pool would replace a lost connection by one without the lock and without the open transaction, so
 * the rest of a migration would be committed without its beginning.
 */
function refuseReconnect(): never {
  throw new Error("the connection that holds the schema was lost");
}

async function connect(url: string): Promise<Sequelize> {
  // Only one connection, so that its lock and settings apply to every statement.
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

/** Repeats `work`, which must be idempotent, if it waited three seconds for a lock of an older release. */
export async function retryWhileLocked<T>(work: () => Promise<T>, tries = lockTries): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !/lock timeout/.test(error.message) || tries <= 1) throw error;
    return retryWhileLocked(work, tries - 1);
  }
}

/**
 * Blocks schema changes until the transaction ends, for a process that creates or drops tables at work.
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
