import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";

import { migrationNames } from "../../../shared/ops/schema.ts";
import { createClient } from "../../../shared/platform/db/connection/client.ts";
import { schemaLock } from "../../../shared/platform/db/connection/schema-lock.ts";
import { firstRow, rows } from "../../../shared/platform/db/rows.ts";
import { makeTheseParts } from "../../../shared/shard/log/make-parts.ts";
import { readMigrations, readQueueSchema, readTables, sameForm } from "./catalogue.ts";
import type { BackedUpTable, BackupClosing, BackupHeader } from "./format.ts";
import { BackupReader, BrokenBackup } from "./read-backup.ts";
import { readRows, UnorderedSum } from "./sum-rows.ts";

/** Applies migrations, those that are named or all, and makes the queues. */
type Migrate = (url: string, only?: readonly string[]) => Promise<void>;

/** The database may not be restored into. */
export class NotEmpty extends Error {
  constructor(users: number) {
    super(
      `The database holds ${users} users already, and a backup is restored into an empty one: ` +
        "make a new database, or move the folder db of DATA_FOLDER away",
    );
    this.name = "NotEmpty";
  }
}

export interface Restored {
  readonly header: BackupHeader;
  readonly closing: BackupClosing;
  /** Tables that no migration of the service makes: somebody's own. */
  readonly leftOut: readonly string[];
}

/**
 * Restores a backup into an empty database: its own schema first, then all rows in one transaction,
 * then what later migrations change. A database that holds users is left as it is.
 * @param isToBeProven also reads every row back and compares
 */
export async function restoreBackup(
  url: string,
  file: string,
  migrate: Migrate,
  isToBeProven = false,
): Promise<Restored> {
  const reader = new BackupReader(file);
  const header = await reader.readHeader();
  await requireKnown(header);
  await withClient(url, requireEmpty);
  await migrate(url, header.migrations);
  const loaded = await withClient(url, async (client) => {
    // Loading changes tables and triggers: a release that comes meanwhile waits for its end.
    await client.query("select pg_advisory_lock($1)", [schemaLock]);
    await requireSchemaOf(header, client);
    const known = await readTables(client);
    const isKnown = ({ name }: BackedUpTable) => known.some((table) => table.name === name);
    const closing = await load({ header, reader, isKnown }, client);
    if (isToBeProven) await prove({ header, reader: new BackupReader(file), isKnown }, client);
    const leftOut = header.tables.filter((table) => !isKnown(table)).map(({ name }) => name);
    return { closing, leftOut };
  });
  await migrate(url);
  return { header, ...loaded };
}

interface Source {
  readonly header: BackupHeader;
  readonly reader: BackupReader;
  /** Whether the migrations made the table. */
  readonly isKnown: (table: BackedUpTable) => boolean;
}

async function requireKnown({ migrations, version }: BackupHeader): Promise<void> {
  const known = await migrationNames();
  if (migrations.every((name) => known.includes(name))) return;
  throw new BrokenBackup(`it was made by release ${version}, which is newer: restore it with that`);
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
  const table = await firstRow(client, "select to_regclass('public.users') as name");
  if (table?.["name"] === null) return;
  const counted = await firstRow<{ users: number }>(
    client,
    "select count(*)::integer as users from users",
  );
  if (counted && counted.users > 0) throw new NotEmpty(counted.users);
}

/** @throws {BrokenBackup} when the queues differ, or a release migrated after the backup's own migrations */
async function requireSchemaOf(header: BackupHeader, client: Client): Promise<void> {
  const applied = await readMigrations(client);
  if (applied.some((name) => !header.migrations.includes(name))) {
    throw new BrokenBackup("a release migrated the database meanwhile: restore it into a new one");
  }
  if ((await readQueueSchema(client)) === header.queueSchema) return;
  throw new BrokenBackup(
    `its queues are those of release ${header.version}: restore it with that one, then deploy this`,
  );
}

async function load(
  { header: { madeAt, tables, eventParts }, reader, isKnown }: Source,
  client: Client,
): Promise<BackupClosing> {
  await client.query("begin");
  await client.query(sameForm);
  const known = tables.filter(isKnown);
  await client.query(turnTriggers("disable", known));
  // The schema came with some rows of its own.
  const own = known.filter(({ name }) => name.startsWith("public."));
  await client.query(`truncate ${own.map(({ name }) => name).join(", ")}`);
  await makeTheseParts(eventParts ?? [], client);
  for (const table of tables) {
    if (isKnown(table)) await loadTable(table, reader, client);
    else await reader.skipTable(table.name);
  }
  await client.query(makeLackingQueues);
  const closing = await reader.readClosing();
  for (const { name, value, isUsed } of closing.sequences) {
    const passed = name === idsOfLog ? 0 : idsSince(madeAt);
    await rows(client, setCounter, [name, value, passed, isUsed]);
  }
  await client.query(turnTriggers("enable", known));
  await client.query("commit");
  await client.query("analyze");
  return closing;
}

/** Its parts are laid out by its ids, and whoever reads on from a lost one is told. */
const idsOfLog = "public.shard_events_id_seq";

/**
 * How many ids may have been given out since a backup was made: for long nothing is counted faster than
 * the seconds are. What had them is lost, and not all that names them: a session is of a user's id, a game
 * holds its links to users by it and knows the keys of orders by theirs. With the id of another they
 * would be another's.
 */
const idsSince = (madeAt: string): number =>
  1_000 + Math.max(0, Math.ceil((Date.now() - Date.parse(madeAt)) / 1_000));

const setCounter = `
  select setval(seqrelid::regclass, least($2::bigint + $3::bigint, seqmax), $4)
  from pg_sequence where seqrelid = to_regclass($1)`;

/**
 * What triggers did is in the backup already: done again, it would change rows that were restored.
 * The owner of the tables may turn them off, while session_replication_role takes a superuser.
 */
const turnTriggers = (how: "disable" | "enable", tables: readonly BackedUpTable[]): string =>
  tables.map(({ name }) => `alter table ${name} ${how} trigger user`).join("; ");

/**
 * Jobs may be of queues that the release does not make: of the library's own, which a worker makes
 * when it starts, or of one that an earlier release had. A job is stored with its queue alone.
 */
const makeLackingQueues = `
  select pgboss.create_queue(name, '{"policy": "standard"}')
  from (select distinct name from pgboss.job) held
  where name not in (select name from pgboss.queue)`;

async function loadTable(
  { name, columns }: BackedUpTable,
  reader: BackupReader,
  client: Client,
): Promise<void> {
  const stored = Readable.from(reader.readTable(name));
  await pipeline(stored, client.query(copyFrom(`copy ${name} (${columns.join(", ")}) from stdin`)));
}

/** Reads what was stored and compares it with the file, table by table. */
async function prove(
  { header: { tables }, reader, isKnown }: Source,
  client: Client,
): Promise<void> {
  await reader.readHeader();
  await client.query("begin read only");
  await client.query(sameForm);
  for (const table of tables) {
    if (isKnown(table)) await proveTable(table, reader, client);
    else await reader.skipTable(table.name);
  }
  await client.query("commit");
}

async function proveTable(
  table: BackedUpTable,
  reader: BackupReader,
  client: Client,
): Promise<void> {
  const [written, stored] = [new UnorderedSum(), new UnorderedSum()];
  for await (const piece of reader.readTable(table.name)) written.add(piece);
  for await (const piece of readRows(table, client)) stored.add(piece);
  if (written.get() === stored.get()) return;
  throw new BrokenBackup(`${table.name} reads otherwise once it is restored`);
}
