import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

import type { Client } from "pg";

import { createClient } from "../../../shared/platform/db/connection/client.ts";
import { schemaLockKey } from "../../../shared/platform/db/connection/schema-lock.ts";
import { version } from "../../../shared/platform/process/version.ts";
import { readPartitions } from "../../../shared/shard/event-partitions/partitions.ts";
import { textFormatSql } from "./backup.sql.ts";
import { readMigrations, readQueueSchema, readSequences, readTables } from "./catalogue.ts";
import { type BackupTrailer, type BackupHeader, endOfRows } from "./format.ts";
import { readRows, RowChecksum } from "./sum-rows.ts";

/**
 * Writes a snapshot of the whole database while the service runs. The file appears when it is complete. A
 * concurrent migration step waits until then.
 * @param url a direct connection
 */
export async function writeBackup(url: string, file: string): Promise<BackupTrailer> {
  await mkdir(path.dirname(file), { recursive: true });
  const part = `${file}.part`;
  const client = createClient({
    url,
    applicationName: "guildhall backup",
    patience: { statementMs: null },
  });
  await client.connect();
  try {
    // Take the lock before the transaction, so that the snapshot is not older than the lock.
    await client.query("select pg_advisory_lock_shared($1)", [schemaLockKey]);
    await client.query("begin isolation level repeatable read, read only");
    await client.query(textFormatSql);
    const closing: { said?: BackupTrailer } = {};
    const target = createWriteStream(part, { mode: 0o600 });
    await pipeline(Readable.from(linesOf(client, closing)), createGzip(), target);
    if (!target.closed) await once(target, "close");
    await finishFile(part, file);
    return closing.said as BackupTrailer;
  } finally {
    await client.end();
    await rm(part, { force: true });
  }
}

async function* linesOf(
  client: Client,
  closing: { said?: BackupTrailer },
): AsyncGenerator<Buffer | string> {
  const tables = await readTables(client);
  const header: BackupHeader = {
    backup: "guildhall",
    format: 1,
    version,
    madeAt: new Date().toISOString(),
    migrations: await readMigrations(client),
    queueSchema: await readQueueSchema(client),
    tables,
    eventParts: (await readPartitions(client)).map(({ fromId, untilId }) => ({ fromId, untilId })),
  };
  yield lineOf(header);
  let rows = 0;
  for (const table of tables) {
    yield lineOf({ table: table.name });
    const sum = new RowChecksum();
    for await (const piece of readRows(table, client)) {
      sum.add(piece);
      yield piece;
    }
    rows += sum.get().rows;
    yield `${endOfRows}\n${lineOf(sum.get())}`;
  }
  // Sequences are not part of a snapshot. Read them last, so that their values are above all ids in the snapshot.
  closing.said = { tables: tables.length, rows, sequences: await readSequences(client) };
  yield lineOf(closing.said);
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

/** Writes the file to disk, then gives it its final name. */
async function finishFile(part: string, file: string): Promise<void> {
  const handle = await open(part, "r+");
  await handle.sync();
  await handle.close();
  await rename(part, file);
}
