import { readdir } from "node:fs/promises";
import path from "node:path";

import type { Sequelize } from "sequelize";

import type { DatabaseWaiter } from "../platform/db/connection/start-wait.ts";
import { firstRow, rows } from "../platform/db/rows.ts";
import { queues } from "../platform/queue/queues.ts";

/** The state of a database's migrations, by name. */
export interface SchemaState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Migrations that a newer release has applied. This release can still work with them. */
  readonly newer: readonly string[];
}

export async function readSchemaState(sequelize: Sequelize): Promise<SchemaState> {
  const [own, applied] = await Promise.all([listMigrationNames(), readAppliedNames(sequelize)]);
  return {
    applied,
    pending: own.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !own.includes(name)),
  };
}

/** @throws if a migration or a queue of this version is missing */
export async function requireSchema(sequelize: Sequelize): Promise<SchemaState> {
  const state = await readSchemaState(sequelize);
  const lacking = (await hasQueues(sequelize)) ? state.pending : [...state.pending, "queues"];
  if (lacking.length === 0) return state;
  throw new SchemaIncompleteError(lacking);
}

/** Thrown if the migration step did not run, or did not finish. */
export class SchemaIncompleteError extends Error {
  constructor(lacking: readonly string[]) {
    super(`the schema lacks ${lacking.join(", ")}: run npm run migrate`);
    this.name = "SchemaIncompleteError";
  }
}

const isSchemaIncomplete = (error: unknown): boolean => error instanceof SchemaIncompleteError;

/** Waits for the migration step. @throws {SchemaIncompleteError} if the schema is still incomplete after the timeout */
export async function awaitSchema(sequelize: Sequelize, wait: DatabaseWaiter): Promise<void> {
  await wait.for(() => requireSchema(sequelize), isSchemaIncomplete);
}

const folder = path.join(import.meta.dirname, "../../migrations");

/** Oldest first. */
export async function listMigrationNames(): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => /^\d{4}-.*\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ""))
    .toSorted();
}

async function readAppliedNames(sequelize: Sequelize): Promise<string[]> {
  if (!(await tableExists("migrations", sequelize))) return [];
  const applied = await rows<{ name: string }>(sequelize, "select name from migrations");
  return applied.map(({ name }) => name);
}

/** The migration step creates the queues last, so check every queue. */
async function hasQueues(sequelize: Sequelize): Promise<boolean> {
  if (!(await tableExists("pgboss.queue", sequelize))) return false;
  const made = await rows<{ name: string }>(sequelize, "select name from pgboss.queue");
  const names = new Set(made.map(({ name }) => name));
  return Object.keys(queues).every((name) => names.has(name));
}

async function tableExists(table: string, sequelize: Sequelize): Promise<boolean> {
  const row = await firstRow<{ there: boolean }>(
    sequelize,
    "select to_regclass($1) is not null as there",
    [table],
  );
  return row?.there ?? false;
}
