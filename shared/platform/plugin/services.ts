import type { Sequelize, Transaction } from "sequelize";

import type { Config } from "../config/config.ts";
import { executeStatement, rows } from "../db/rows.ts";
import type { Logger } from "../log.ts";
import type { Listener } from "../notify/listener.ts";
import { deleteCommandsSql, lockCommandsSql } from "./commands.sql.ts";
import { deleteInboxSql } from "./inbox.sql.ts";
import { lockKeysSql } from "./keys.sql.ts";
import { lockSessionSql } from "./sessions.sql.ts";

export interface PluginServices {
  readonly config: Pick<Config, "JWT_KEYS">;
  readonly listener: Listener;
  readonly log: Logger;
  readonly sequelize: Sequelize;
}

// THE order in which rows of a link are locked: the source in `ingest_sources`, the link itself, its keys
// (newest first), the session, the inbox, the commands (by number). Plugin calls, administrators and
// ingest all follow it, so that they cannot deadlock.

/** Locks the valid keys of a source, newest first, as the first call with a new key does. */
export async function lockKeys(source: string, transaction: Transaction): Promise<void> {
  await rows(transaction, lockKeysSql, [source]);
}

/** Deletes calls and commands of a plugin, before its source is deleted. */
export async function deleteLinkRows(source: string, transaction: Transaction): Promise<void> {
  await rows(transaction, lockSessionSql, [source]);
  await executeStatement(transaction, deleteInboxSql, [source]);
  await rows(transaction, lockCommandsSql, [source]);
  await executeStatement(transaction, deleteCommandsSql, [source]);
}
