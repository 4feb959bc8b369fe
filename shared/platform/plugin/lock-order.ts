import type { Transaction } from "sequelize";

import { countChanged, rows } from "../db/rows.ts";

// THE order in which rows of a link are locked: the source in `ingest_sources`, the link itself, its keys (the
// newest first), the session, the inbox, the commands (in their order). Calls of plugins, administrators and
// ingest all keep it, so that none of them waits for another in a circle.

/**
 * SQL of a source that is not deleted before this transaction ends. A row of the inbox or of commands that is
 * inserted locks its source so by itself, which is too late where the session is locked already.
 * @param source the SQL of its name
 */
export const lockedSource = (source: string): string =>
  `select source from ingest_sources where source = ${source} for key share`;

/** Locks the keys of a source that have not ended. The first call by a new key locks that one before the former. */
export async function lockKeys(source: string, transaction: Transaction): Promise<void> {
  await rows(
    transaction,
    `select id from plugin_keys where source = $1 and ended_at is null
     order by id desc for update`,
    [source],
  );
}

/** Deletes what a plugin has sent and is sent, before its source is deleted. */
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
