import type { Transaction } from "sequelize";

import { countChanged, rows } from "../db/rows.ts";

// THE order in which rows of a link are locked: the source in `ingest_sources`, the link itself, its keys
// (newest first), the session, the inbox, the commands (by number). Plugin calls, administrators and
// ingest all follow it, so that they cannot deadlock.

/**
 * SQL that protects a source from deletion until the transaction ends. An insert into the inbox or the
 * commands also locks the source, but too late if the session is already locked.
 * @param source SQL of the source's name
 */
export const lockSourceSql = (source: string): string =>
  `select source from ingest_sources where source = ${source} for key share`;

/** Locks the valid keys of a source, newest first, as the first call with a new key does. */
export async function lockKeys(source: string, transaction: Transaction): Promise<void> {
  await rows(
    transaction,
    `select id from plugin_keys where source = $1 and ended_at is null
     order by id desc for update`,
    [source],
  );
}

/** Deletes calls and commands of a plugin, before its source is deleted. */
export async function deleteLinkRows(source: string, transaction: Transaction): Promise<void> {
  await rows(transaction, "select source from plugin_sessions where source = $1 for update", [
    source,
  ]);
  await countChanged(transaction, "delete from plugin_inbox where source = $1", [source]);
  await rows(
    transaction,
    "select number from plugin_commands where source = $1 order by number for update",
    [source],
  );
  await countChanged(transaction, "delete from plugin_commands where source = $1", [source]);
}
