import { readdir } from "node:fs/promises";
import path from "node:path";

import { QueryTypes, type Sequelize } from "sequelize";

/** How a database stands to the migrations of this version, each by its name. */
export interface SchemaState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied by a newer version; this one runs beside it. */
  readonly newer: readonly string[];
}

export async function readSchemaState(sequelize: Sequelize): Promise<SchemaState> {
  const [own, applied] = await Promise.all([migrationNames(), namesApplied(sequelize)]);
  return {
    applied,
    pending: own.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !own.includes(name)),
  };
}

/** @throws when a migration of this version was not applied, or the queue's schema is not there */
export async function requireSchema(sequelize: Sequelize): Promise<SchemaState> {
  const state = await readSchemaState(sequelize);
  const lacking = (await hasQueueSchema(sequelize)) ? state.pending : [...state.pending, "queues"];
  if (lacking.length === 0) return state;
  throw new Error(`the schema lacks ${lacking.join(", ")}: run npm run migrate`);
}

const folder = path.join(import.meta.dirname, "../../migrations");

/** Names of all migrations of this version, oldest first. */
export async function migrationNames(): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => /^\d{4}-.*\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ""))
    .toSorted();
}

async function namesApplied(sequelize: Sequelize): Promise<string[]> {
  if (!(await isThere("migrations", sequelize))) return [];
  const rows = await sequelize.query<{ name: string }>("select name from migrations", {
    type: QueryTypes.SELECT,
  });
  return rows.map(({ name }) => name);
}

const hasQueueSchema = (sequelize: Sequelize): Promise<boolean> =>
  isThere("pgboss.version", sequelize);

async function isThere(table: string, sequelize: Sequelize): Promise<boolean> {
  const [row] = await sequelize.query<{ there: boolean }>(
    "select to_regclass($1) is not null as there",
    { bind: [table], type: QueryTypes.SELECT },
  );
  return row?.there ?? false;
}
