import type { QueryInterface, Sequelize } from "sequelize";
import { type RunnableMigration, SequelizeStorage, Umzug } from "umzug";

import { listMigrationNames } from "../shared/ops/schema.ts";
import {
  type SchemaLock,
  withSchemaLock,
  retryWhileLocked,
} from "../shared/platform/db/connection/schema-lock.ts";
import { ensureTrigramExtension } from "../shared/platform/db/server.ts";

/** A change of the schema in plain SQL, without models. */
interface Migration {
  up(queries: QueryInterface): Promise<void>;
  down(queries: QueryInterface): Promise<void>;
}

/**
 * Migrates a database to the newest schema. Concurrent runs and an older running release are safe: a lock
 * admits one runner, and no statement waits for a lock for more than three seconds.
 * @param only names of migrations to run; all by default
 * @returns names of the migrations that ran
 */
export const migrate = (url: string, only?: readonly string[]): Promise<string[]> =>
  withSchemaLock(url, (held) => migrateLocked(held, only));

/** Migrates like `migrate`, for a caller that already holds the schema lock. */
export const migrateLocked = (held: SchemaLock, only?: readonly string[]): Promise<string[]> =>
  runWith(held, async (umzug) => {
    await ensureTrigramExtension(held.sequelize);
    return umzug.up(only && { migrations: [...only], rerun: "SKIP" });
  });

/** Reverts the newest migration, with the same locks as `migrate`. @returns its name, if there was one */
export const migrateDown = (url: string): Promise<string[]> =>
  withSchemaLock(url, (held) => runWith(held, (umzug) => umzug.down()));

type Run = (umzug: Umzug<QueryInterface>) => Promise<readonly { readonly name: string }[]>;

async function runWith({ sequelize }: SchemaLock, work: Run): Promise<string[]> {
  const umzug = createUmzug(sequelize, await listMigrationNames());
  // A retry skips the migrations that are already done.
  return retryWhileLocked(async () => (await work(umzug)).map(({ name }) => name));
}

/**
 * Runs a migration and records it in the list of migrations, in one transaction. Otherwise a process killed in
 * between would leave a schema that no later run could migrate.
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
    migrations: names.map(loadMigration),
  });
}

/**
 * Loads a migration. It begins a transaction before the migration runs, and `createUmzug` commits the
 * transaction.
 */
function loadMigration(name: string): RunnableMigration<QueryInterface> {
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
    // Ignore errors of the rollback: they mean that the connection is lost. The original error is more useful.
    await sequelize.query("rollback").catch(() => undefined);
    throw error;
  }
}
