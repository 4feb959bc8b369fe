import { Sequelize, type Transaction } from "sequelize";

import { firstRow } from "../rows.ts";
import { requireServerVersion } from "../server.ts";

/** Held by whoever changes the schema, and shared by who must see it unchanged. */
// Any fixed number will do, as long as nothing else in this database locks it.
export const schemaLock = 7_102_026;

/**
 * The right to change the schema of a database, which one session at a time has. Every function that
 * creates, alters or drops something for a release takes it as an argument.
 */
export interface HeldSchema {
  /** Its one connection has the lock. */
  readonly sequelize: Sequelize;
}

/**
 * An index of a large table takes its time, the connection stands idle while another is asked, and a backup
 * is waited for. Behind a pooler the role itself has the timeouts of requests.
 */
const asLongAsItTakes =
  "set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set client_min_messages = warning";

const lockTries = 5;

/**
 * Does the work while nobody else changes the schema: a second release waits for its turn. No statement
 * of the held session waits for a lock for more than three seconds.
 * @param url of a direct connection
 */
export async function holdSchema<T>(
  url: string,
  work: (held: HeldSchema) => Promise<T>,
): Promise<T> {
  const sequelize = await connect(url);
  try {
    await sequelize.query(asLongAsItTakes);
    await sequelize.query("select pg_advisory_lock($1)", { bind: [schemaLock] });
    await sequelize.query("set lock_timeout = '3s'");
    sequelize.addHook("beforeConnect", refuseAnother);
    return await work({ sequelize });
  } finally {
    await sequelize.close();
  }
}

/**
 * The pool replaces a connection that was lost. The new one has neither the lock nor the transaction that was
 * begun: the rest of a migration would be committed without its beginning.
 */
function refuseAnother(): never {
  throw new Error("the connection that holds the schema was lost");
}

async function connect(url: string): Promise<Sequelize> {
  // One connection, so that the session's lock and settings hold for every statement.
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

/**
 * Does the work again when a statement of it waited three seconds for a lock: an older release at work
 * may hold a table for a moment. Run twice, the work must do the same as run once.
 */
export async function retryWhileLocked<T>(work: () => Promise<T>, tries = lockTries): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !/lock timeout/.test(error.message) || tries <= 1) throw error;
    return retryWhileLocked(work, tries - 1);
  }
}

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
