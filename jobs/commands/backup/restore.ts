import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";

import { listMigrationNames } from "../../../shared/ops/schema.ts";
import { createClient } from "../../../shared/platform/db/connection/client.ts";
import { schemaLockKey } from "../../../shared/platform/db/connection/schema-lock.ts";
import { firstRow, rows } from "../../../shared/platform/db/rows.ts";
import { createMatchingPartitions } from "../../../shared/shard/event-partitions/create-partitions.ts";
import {
  countUsersSql,
  createMissingQueuesSql,
  lockSchemaSql,
  selectUsersTableSql,
  setSequenceSql,
  switchTriggersSql,
  textFormatSql,
} from "./backup.sql.ts";
import { readMigrations, readQueueSchema, readTables } from "./catalogue.ts";
import type { BackupTable, BackupTrailer, BackupHeader } from "./format.ts";
import { BackupReader, BrokenBackupError } from "./read-backup.ts";
import { readRows, UnorderedChecksum } from "./sum-rows.ts";

/** Applies all migrations or the given ones, and creates the queues. */
type Migrate = (url: string, only?: readonly string[]) => Promise<void>;

/** The database contains users, so no backup may be restored into it. */
export class DatabaseNotEmptyError extends Error {
  constructor(users: number) {
    super(
      `The database already contains ${users} users, and a backup can only be restored into an ` +
        "empty database: create a new database, or move the folder db of DATA_FOLDER away",
    );
    this.name = "DatabaseNotEmptyError";
  }
}

export interface RestoreResult {
  readonly header: BackupHeader;
  readonly closing: BackupTrailer;
  /** Tables in the backup that no migration creates. They are not restored. */
  readonly leftOut: readonly string[];
}

/**
 * Restores a backup into an empty database: first the schema at the time of the backup, then all rows in one
 * transaction, then later migrations.
 * @param shouldVerify true to read every row back and compare it with the file
 */
export async function restoreBackup(
  url: string,
  file: string,
  migrate: Migrate,
  shouldVerify = false,
): Promise<RestoreResult> {
  const reader = new BackupReader(file);
  const header = await reader.readHeader();
  await requireKnownMigrations(header);
  await withClient(url, requireEmpty);
  await migrate(url, header.migrations);
  const loaded = await withClient(url, async (client) => {
    // Loading rows disables triggers and changes tables, so a concurrent migration step must wait.
    await client.query(lockSchemaSql, [schemaLockKey]);
    await requireSchemaOf(header, client);
    const known = await readTables(client);
    const isKnown = ({ name }: BackupTable) => known.some((table) => table.name === name);
    const closing = await load({ header, reader, isKnown }, client);
    if (shouldVerify) await verifyRows({ header, reader: new BackupReader(file), isKnown }, client);
    const omittedTables = header.tables.filter((table) => !isKnown(table)).map(({ name }) => name);
    return { closing, leftOut: omittedTables };
  });
  await migrate(url);
  return { header, ...loaded };
}

interface Source {
  readonly header: BackupHeader;
  readonly reader: BackupReader;
  readonly isKnown: (table: BackupTable) => boolean;
}

async function requireKnownMigrations({ migrations, version }: BackupHeader): Promise<void> {
  const known = await listMigrationNames();
  if (migrations.every((name) => known.includes(name))) return;
  throw new BrokenBackupError(
    `it was made by the newer release ${version}: restore it with that release`,
  );
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient({
    url,
    applicationName: "guildhall restore",
    patience: { statementMs: null },
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function requireEmpty(client: Client): Promise<void> {
  const table = await firstRow(client, selectUsersTableSql);
  if (table?.["name"] === null) return;
  const counted = await firstRow<{ users: number }>(client, countUsersSql);
  if (counted && counted.users > 0) throw new DatabaseNotEmptyError(counted.users);
}

/** @throws {BrokenBackupError} if the schema of the queues differs, or newer migrations were applied meanwhile */
async function requireSchemaOf(header: BackupHeader, client: Client): Promise<void> {
  const applied = await readMigrations(client);
  if (applied.some((name) => !header.migrations.includes(name))) {
    throw new BrokenBackupError(
      "another release migrated the database during the restore: restore the backup into a new database",
    );
  }
  if ((await readQueueSchema(client)) === header.queueSchema) return;
  throw new BrokenBackupError(
    `its queues need release ${header.version}: restore it with that release, then deploy this one`,
  );
}

async function load(
  { header: { madeAt, tables, eventParts }, reader, isKnown }: Source,
  client: Client,
): Promise<BackupTrailer> {
  await client.query("begin");
  await client.query(textFormatSql);
  const known = tables.filter(isKnown);
  await client.query(switchTriggersSql("disable", known));
  // Delete the rows that the migrations inserted.
  const own = known.filter(({ name }) => name.startsWith("public."));
  await client.query(`truncate ${own.map(({ name }) => name).join(", ")}`);
  await createMatchingPartitions(eventParts ?? [], client);
  for (const table of tables) {
    if (isKnown(table)) await loadTable(table, reader, client);
    else await reader.skipTable(table.name);
  }
  await client.query(createMissingQueuesSql);
  const closing = await reader.readClosing();
  for (const { name, value, isUsed } of closing.sequences) {
    const passed = name === idsOfLog ? 0 : estimateUsedIds(madeAt);
    await rows(client, setSequenceSql, [name, value, passed, isUsed]);
  }
  await client.query(switchTriggersSql("enable", known));
  await client.query("commit");
  await client.query("analyze");
  return closing;
}

/** The event log's sequence is restored without a gap, because partitions depend on its ids. */
const idsOfLog = "public.shard_events_id_seq";

/**
 * Returns how many ids a sequence may have issued since the backup: none grows by more than one per second for
 * long. New rows must not get these ids, because sessions, links in a game and keys of commands may still contain
 * them.
 */
const estimateUsedIds = (madeAt: string): number =>
  1_000 + Math.max(0, Math.ceil((Date.now() - Date.parse(madeAt)) / 1_000));

async function loadTable(
  { name, columns }: BackupTable,
  reader: BackupReader,
  client: Client,
): Promise<void> {
  const stored = Readable.from(reader.readTable(name));
  await pipeline(stored, client.query(copyFrom(`copy ${name} (${columns.join(", ")}) from stdin`)));
}

async function verifyRows(
  { header: { tables }, reader, isKnown }: Source,
  client: Client,
): Promise<void> {
  await reader.readHeader();
  await client.query("begin read only");
  await client.query(textFormatSql);
  for (const table of tables) {
    if (isKnown(table)) await verifyTable(table, reader, client);
    else await reader.skipTable(table.name);
  }
  await client.query("commit");
}

async function verifyTable(
  table: BackupTable,
  reader: BackupReader,
  client: Client,
): Promise<void> {
  const [written, stored] = [new UnorderedChecksum(), new UnorderedChecksum()];
  for await (const piece of reader.readTable(table.name)) written.add(piece);
  for await (const piece of readRows(table, client)) stored.add(piece);
  if (written.get() === stored.get()) return;
  throw new BrokenBackupError(`the restored rows of ${table.name} differ from the backup`);
}
