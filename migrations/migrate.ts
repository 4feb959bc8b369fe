import { type QueryInterface, Sequelize } from "sequelize";
import { type RunnableMigration, SequelizeStorage, Umzug } from "umzug";

import { requireServerVersion } from "../shared/db/server-version.ts";
import { ensureTrigrams } from "../shared/db/trigrams.ts";
import { migrationNames, schemaLock } from "../shared/schema/schema.ts";

/** One change of the schema: up and down, plain SQL, no models. */
interface Migration {
  up(queries: QueryInterface): Promise<void>;
  down(queries: QueryInterface): Promise<void>;
}

const lockTries = 5;

/**
 * An index of a large table takes its time, the connection stands idle while another is asked, and a backup
 * is waited for. Behind a pooler the role itself has the timeouts of requests.
 */
const asLongAsItTakes =
  "set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set client_min_messages = warning";

/**
 * Brings a database to the newest schema. Safe to run twice at once and beside an older version:
 * one runner at a time, and no statement waits for a lock for more than three seconds.
 * @param only the names of those that are wanted; all are when absent
 * @returns names of the migrations that ran
 */
export const migrate = (url: string, only?: readonly string[]): Promise<string[]> =>
  runAlone(url, async (umzug, sequelize) => {
    await ensureTrigrams(sequelize);
    return umzug.up(only && { migrations: [...only], rerun: "SKIP" });
  });

/** Takes back the newest migration, under the same rules. @returns its name, if there was one */
export const migrateDown = (url: string): Promise<string[]> =>
  runAlone(url, (umzug) => umzug.down());

type Run = (
  umzug: Umzug<QueryInterface>,
  sequelize: Sequelize,
) => Promise<readonly { readonly name: string }[]>;

async function runAlone(url: string, run: Run): Promise<string[]> {
  const sequelize = await connect(url);
  try {
    await sequelize.query(asLongAsItTakes);
    await sequelize.query("select pg_advisory_lock($1)", { bind: [schemaLock] });
    await sequelize.query("set lock_timeout = '3s'");
    const umzug = createUmzug(sequelize, await migrationNames());
    return await retryWhileLocked(async () =>
      (await run(umzug, sequelize)).map(({ name }) => name),
    );
  } finally {
    await sequelize.close();
  }
}

async function connect(url: string): Promise<Sequelize> {
  // One connection, so that the session's lock and settings hold for every migration.
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
 * A migration and its line in the list of those that ran are one transaction: who is killed between
 * them would leave a schema that no later run can bring further.
 */
function createUmzug(sequelize: Sequelize, names: readonly string[]): Umzug<QueryInterface> {
  const list = new SequelizeStorage({ sequelize, tableName: "migrations" });
  const close = async (note: () => Promise<void>): Promise<void> => {
    await orRollback(note, sequelize);
    await sequelize.query("commit");
  };
  return new Umzug({
    context: sequelize.getQueryInterface(),
    storage: {
      executed: () => list.executed(),
      logMigration: (migration) => close(() => list.logMigration(migration)),
      unlogMigration: (migration) => close(() => list.unlogMigration(migration)),
    },
    logger: undefined,
    migrations: names.map(lazily),
  });
}

/** Opens the transaction that the list's storage closes; the pool has one connection for both. */
function lazily(name: string): RunnableMigration<QueryInterface> {
  const run = async (way: keyof Migration, context: QueryInterface): Promise<void> => {
    const migration = (await import(`./${name}.ts`)) as Migration;
    await context.sequelize.query("begin");
    await orRollback(() => migration[way](context), context.sequelize);
  };
  return {
    name,
    up: ({ context }) => run("up", context),
    down: ({ context }) => run("down", context),
  };
}

async function orRollback(work: () => Promise<void>, sequelize: Sequelize): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Errors of the rollback are ignored: the connection is lost, and the work's error says why.
    await sequelize.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** A busy older version may hold a table for a moment: what ran stays, the rest is tried again. */
async function retryWhileLocked(
  work: () => Promise<string[]>,
  tries = lockTries,
): Promise<string[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !/lock timeout/.test(error.message) || tries <= 1) throw error;
    return retryWhileLocked(work, tries - 1);
  }
}
