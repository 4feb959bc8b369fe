import type { QueryInterface, Sequelize } from "sequelize";
import { type RunnableMigration, SequelizeStorage, Umzug } from "umzug";

import { migrationNames } from "../shared/ops/schema.ts";
import {
  type HeldSchema,
  holdSchema,
  retryWhileLocked,
} from "../shared/platform/db/connection/schema-lock.ts";
import { ensureTrigrams } from "../shared/platform/db/server.ts";

/** One change of the schema: up and down, plain SQL, no models. */
interface Migration {
  up(queries: QueryInterface): Promise<void>;
  down(queries: QueryInterface): Promise<void>;
}

/**
 * Brings a database to the newest schema. Safe to run twice at once and beside an older version:
 * one runner at a time, and no statement waits for a lock for more than three seconds.
 * @param only the names of those that are wanted; all are when absent
 * @returns names of the migrations that ran
 */
export const migrate = (url: string, only?: readonly string[]): Promise<string[]> =>
  holdSchema(url, (held) => migrateHeld(held, only));

/** The same for a release that holds the schema and has more to do. */
export const migrateHeld = (held: HeldSchema, only?: readonly string[]): Promise<string[]> =>
  runWith(held, async (umzug) => {
    await ensureTrigrams(held.sequelize);
    return umzug.up(only && { migrations: [...only], rerun: "SKIP" });
  });

/** Takes back the newest migration, under the same rules. @returns its name, if there was one */
export const migrateDown = (url: string): Promise<string[]> =>
  holdSchema(url, (held) => runWith(held, (umzug) => umzug.down()));

type Run = (umzug: Umzug<QueryInterface>) => Promise<readonly { readonly name: string }[]>;

async function runWith({ sequelize }: HeldSchema, work: Run): Promise<string[]> {
  const umzug = createUmzug(sequelize, await migrationNames());
  // What ran stays, and the rest is tried again.
  return retryWhileLocked(async () => (await work(umzug)).map(({ name }) => name));
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
