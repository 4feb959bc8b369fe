import { randomUUID } from "node:crypto";

import type { Transaction } from "sequelize";

import { hashToken } from "../crypto/tokens.ts";
import { executeStatement, firstRow } from "../db/rows.ts";
import { AppError } from "../errors/errors.ts";
import { beginCallSql, endCallSql, selectIsKeyLiveSql, selectLiveKeySql } from "./keys.sql.ts";
import { pluginLimits } from "./plugin-limits.ts";
import type { PluginServices } from "./services.ts";

export interface PluginCall {
  readonly id: string;
  readonly keyId: number;
  /** The name in `ingest_sources` of the game server to which the key belongs. */
  readonly source: string;
}

type Services = Pick<PluginServices, "sequelize">;

/** Prefix by which people and secret scanners recognize a plugin key. */
export const pluginKeyPrefix = "ghk_";

const isKey = (text: string): boolean => /^ghk_[\w-]{43}$/.test(text);

/**
 * A call that was never ended stops counting after this time, which covers the longest wait and the time to write
 * the answer.
 */
const leaseMs = (pluginLimits.waitSeconds + 20) * 1_000;

/**
 * Authenticates a call by its key and counts it. One statement does both, so that concurrent calls in several web
 * processes cannot exceed the limit.
 * @param isCounted true if the key's limit per second applies to the call
 * @throws AppError plugin_key_unknown, plugin_key_ended, plugin_limit
 */
export async function beginCall(
  key: string,
  isCounted: boolean,
  { sequelize }: Services,
): Promise<PluginCall> {
  if (!isKey(key)) throw unknownKeyError();
  const id = randomUUID();
  const digest = hashToken(key);
  const { callsAtOnce, callsPerSecond } = pluginLimits;
  const values = [digest, id, leaseMs, callsAtOnce, isCounted, callsPerSecond];
  const begun = await firstRow<{ keyId: number; source: string }>(sequelize, beginCallSql, values);
  if (!begun) throw await findRefusal(digest, sequelize);
  return { id, ...begun };
}

/** Ends a call. @param marksConnected true if the plugin now counts as connected for a while */
export async function endCall(
  { id, keyId, source }: PluginCall,
  marksConnected: boolean,
  { sequelize }: Services,
): Promise<void> {
  const values = [keyId, id, source, pluginLimits.silentSeconds, marksConnected];
  await executeStatement(sequelize, endCallSql, values);
}

async function findRefusal(digest: Buffer, sequelize: Services["sequelize"]): Promise<AppError> {
  const known = await firstRow<{ isLive: boolean }>(sequelize, selectIsKeyLiveSql, [digest]);
  if (!known) return unknownKeyError();
  if (known.isLive) {
    const message = `A plugin key may make at most ${pluginLimits.callsAtOnce} calls at once,
      and ${pluginLimits.callsPerSecond} of hello and events within a second`.replace(/\s+/g, " ");
    return new AppError("plugin_limit", message, { retryAfter: 1 });
  }
  return keyEndedError();
}

const keyEndedError = (): AppError =>
  new AppError(
    "plugin_key_ended",
    "The plugin key is no longer valid: create a new key on the site and enter its setup command",
  );

const unknownKeyError = (): AppError =>
  new AppError(
    "plugin_key_unknown",
    "The plugin key is missing or unknown: enter the setup command that the site showed with the key",
  );

/** @throws AppError plugin_key_ended if the key of the call is no longer valid */
export async function requireLiveKey(
  keyId: number,
  { sequelize }: Services,
  transaction?: Transaction,
): Promise<void> {
  const live = await firstRow(transaction ?? sequelize, selectLiveKeySql, [keyId]);
  if (!live) throw keyEndedError();
}

export const linkDisabledError = (): AppError =>
  new AppError(
    "plugin_disabled",
    "The link is disabled on the site, or is not set to the kind plugin",
  );

export const helloRequiredError = (): AppError =>
  new AppError("plugin_hello_required", "The plugin must call POST /plugin/hello first");

/** @throws AppError plugin_superseded if another game process has replaced this one */
export function requireCurrentBoot(
  bootId: string,
  formerBoots: Readonly<Record<string, number>>,
): void {
  const until = Object.hasOwn(formerBoots, bootId) ? (formerBoots[bootId] ?? 0) : 0;
  if (until <= Date.now()) return;
  throw new AppError(
    "plugin_superseded",
    "Another game process uses this link now: two game servers may have the same key",
  );
}
