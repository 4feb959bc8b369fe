import { type QueryInterface, Sequelize } from "sequelize";
import { type RunnableMigration, SequelizeStorage, Umzug } from "umzug";

import { migrationNames } from "../shared/ops/schema.ts";

/** One change of the schema: up and down, plain SQL, no models. */
interface Migration {
  up(queries: QueryInterface): Promise<void>;
  down(queries: QueryInterface): Promise<void>;
}

// Any fixed number will do, as long as nothing else in this database locks it.
const advisoryLock = 7_102_026;

const lockTries = 5;

/**
 * Brings a database to the newest schema. Safe to run twice at once and beside an older version:
 * one runner at a time, and no statement waits for a lock for more than three seconds.
 * @returns names of the migrations that ran
 */
export const migrate = (url: string): Promise<string[]> => runAlone(url, (umzug) => umzug.up());

/** Takes back the newest migration, under the same rules. @returns its name, if there was one */
export const migrateDown = (url: string): Promise<string[]> =>
  runAlone(url, (umzug) => umzug.down());

type Run = (umzug: Umzug<QueryInterface>) => Promise<readonly { readonly name: string }[]>;

async function runAlone(url: string, run: Run): Promise<string[]> {
  const sequelize = await connect(url);
  try {
    await sequelize.query("select pg_advisory_lock($1)", { bind: [advisoryLock] });
    await sequelize.query("set lock_timeout = '3s'");
    await sequelize.query("set client_min_messages = warning");
    const umzug = createUmzug(sequelize, await migrationNames());
    return await retryWhileLocked(async () => (await run(umzug)).map(({ name }) => name));
  } finally {
    await sequelize.close();
  }
}

async function connect(url: string): Promise<Sequelize> {
  // One connection, so that the session's lock and settings hold for every migration.
  const pool = { max: 1, min: 1, idle: 3_600_000 };
  const sequelize = new Sequelize(url, { dialect: "postgres", logging: false, pool });
  await sequelize.authenticate();
  return sequelize;
}

function createUmzug(sequelize: Sequelize, names: readonly string[]): Umzug<QueryInterface> {
  return new Umzug({
    context: sequelize.getQueryInterface(),
    storage: new SequelizeStorage({ sequelize, tableName: "migrations" }),
    logger: undefined,
    migrations: names.map(lazily),
  });
}

function lazily(name: string): RunnableMigration<QueryInterface> {
  const load = async () => (await import(`./${name}.ts`)) as Migration;
  return {
    name,
    up: async ({ context }) => (await load()).up(context),
    down: async ({ context }) => (await load()).down(context),
  };
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
