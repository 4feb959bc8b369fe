import type { Transaction } from "sequelize";

import type { Caller } from "../access/caller.ts";
import { recordActivity } from "../activity/activity.ts";
import type { Config } from "../config/config.ts";
import { hashToken, generateToken } from "../crypto/tokens.ts";
import { executeStatement, type Database, firstRow } from "../db/rows.ts";
import { modelsOf } from "../db/transaction.ts";
import { invalidFieldsError, AppError, notFoundError } from "../errors/errors.ts";
import { notify } from "../notify/channels.ts";
import { pluginKeyPrefix } from "./calls.ts";
import {
  endFormerKeysSql,
  endKeysSql,
  selectPluginStatusSql,
  setKeyExpirySql,
} from "./keys.sql.ts";
import { pluginLimits } from "./plugin-limits.ts";
import { lockKeys } from "./services.ts";
import { resetSessionSql, resetSourceStateSql } from "./sessions.sql.ts";

/** The plugin as shown with its link, without its key and the key's hash. */
export interface PluginStatus {
  readonly hasKey: boolean;
  readonly keyCreatedAt: Date | null;
  readonly keyLastUsedAt: Date | null;
  /** Name and version in the last hello. */
  readonly plugin: { readonly name: string; readonly version: string } | null;
}

/** The status as JSON from the database, in which times are texts. */
export type StoredPluginStatus = Omit<PluginStatus, "keyCreatedAt" | "keyLastUsedAt"> & {
  readonly keyCreatedAt: string | null;
  readonly keyLastUsedAt: string | null;
};

export const toPluginStatus = ({
  keyCreatedAt,
  keyLastUsedAt,
  ...facts
}: StoredPluginStatus): PluginStatus => ({
  ...facts,
  keyCreatedAt: dateOf(keyCreatedAt),
  keyLastUsedAt: dateOf(keyLastUsedAt),
});

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

export async function readPluginStatus(source: string, database: Database): Promise<PluginStatus> {
  const row = await firstRow<{ facts: StoredPluginStatus }>(database, selectPluginStatusSql, [
    source,
  ]);
  if (!row) throw new Error("a select of one row returned no row");
  return toPluginStatus(row.facts);
}

/** Fields that only links of one kind have. */
const fieldsOfKinds: Readonly<Record<string, readonly string[]>> = {
  sidecar: ["baseUrl", "wsUrl", "token", "protocol"],
  status: ["statusHost", "statusPort"],
  webrcon: ["rconHost", "rconPort", "rconPassword", "rconTls"],
};

/** @throws AppError naming each field that a link of this kind does not have */
export function requireFieldsOfKind(kind: string, change: object): void {
  const faults = Object.entries(fieldsOfKinds)
    .filter(([other]) => other !== kind)
    .flatMap(([other, fields]) =>
      fields
        .filter((field) => field in change)
        .map((path) => ({ path, message: `${path} is only for links of the kind ${other}` })),
    );
  if (faults.length > 0) throw invalidFieldsError(faults);
}

/**
 * Ends the keys and the session of a link that changes its kind. Resets the link's state, so that an old
 * fault is not displayed for the new kind. Calls that were received before are still stored.
 */
export async function resetLinkForNewKind(source: string, transaction: Transaction): Promise<void> {
  await executeStatement(transaction, resetSourceStateSql, [source]);
  await endPluginKeys(source, transaction);
  await executeStatement(transaction, resetSessionSql, [source]);
}

/** A new key. It cannot be read again later. */
export interface NewPluginKey {
  readonly key: string;
  readonly url: string;
  readonly command: string;
}

/** A game server, as named in activity lines about its keys. */
export interface KeyActivityLine {
  /** The name of the game server in `ingest_sources`. */
  readonly source: string;
  readonly action: "shardlink.key" | "survival.server.key";
  readonly target?: { readonly type: string; readonly id: number };
}

/**
 * Creates a key for the plugin of a game server. The previous key ends at the first call with the new
 * key, or after 24 hours. Older keys end now.
 */
export async function createPluginKey(
  { source, action, target }: KeyActivityLine,
  { caller, config }: { readonly caller: Caller; readonly config: Config },
  transaction: Transaction,
): Promise<NewPluginKey> {
  const { PluginKey: Key } = modelsOf(transaction);
  const key = generateToken(pluginKeyPrefix);
  await lockKeys(source, transaction);
  await executeStatement(transaction, endFormerKeysSql, [source]);
  await executeStatement(transaction, setKeyExpirySql, [source, pluginLimits.formerKeyHours]);
  await Key.create(
    {
      source,
      digest: hashToken(key),
      createdBy: caller.userId,
      firstUsedAt: null,
      lastUsedAt: null,
      expiresAt: null,
      endedAt: null,
      secondBeganAt: null,
    },
    { transaction },
  );
  await recordActivity(
    { actor: caller, action: `${action}.create`, ...(target && { target }) },
    transaction,
  );
  await notify("plugin_calls", { source }, transaction);
  const url = `${config.PUBLIC_BASE_URL.replace(/\/+$/, "")}/api/v1/plugin`;
  return { key, url, command: `guildhall.setup ${url} ${key}` };
}

/** Ends every key of a game server. @returns their number @throws AppError missing if it has none */
export async function deletePluginKeys(
  { source, action, target }: KeyActivityLine,
  caller: Caller,
  transaction: Transaction,
): Promise<number> {
  const ended = await endPluginKeys(source, transaction);
  if (ended === 0) throw notFoundError("The link has no plugin key");
  await recordActivity(
    { actor: caller, action: `${action}.delete`, ...(target && { target }) },
    transaction,
  );
  return ended;
}

/** Ends every key of a link that is deleted or changes its kind. @returns the number of keys */
export async function endPluginKeys(source: string, transaction: Transaction): Promise<number> {
  await lockKeys(source, transaction);
  const ended = await executeStatement(transaction, endKeysSql, [source]);
  if (ended > 0) await notify("plugin_calls", { source }, transaction);
  return ended;
}

/** @throws AppError unless the link is of the kind `plugin` */
export function requirePluginKind(kind: string): void {
  if (kind === "plugin") return;
  throw new AppError("link_kind", `The link is of the kind ${kind}: change it to plugin first`);
}
