import type { Transaction } from "sequelize";

import type { Caller } from "../access/caller.ts";
import { recordActivity } from "../activity/activity.ts";
import type { Config } from "../config/config.ts";
import { hashToken, newToken } from "../crypto/tokens.ts";
import { countChanged } from "../db/rows.ts";
import { modelsOf } from "../db/transaction.ts";
import { AppError, missing } from "../errors/errors.ts";
import { notify } from "../notify/channels.ts";
import { keyPrefix } from "./calls.ts";
import { lockKeys } from "./lock-order.ts";
import { pluginLimits } from "./plugin-limits.ts";

/** A key that was just made, which no answer shows again. */
export interface NewPluginKey {
  readonly key: string;
  readonly url: string;
  readonly command: string;
}

/** What the activity log calls keys of a game server. */
export interface KeyTarget {
  /** The game server, as `ingest_sources` names it. */
  readonly source: string;
  readonly action: "shardlink.key" | "survival.server.key";
  readonly target?: { readonly type: string; readonly id: number };
}

/**
 * Makes a key for the plugin of a game server. The key before it ends at the first call by the new one,
 * 24 hours later at the latest; a key before that one ends now.
 */
export async function createKey(
  { source, action, target }: KeyTarget,
  { caller, config }: { readonly caller: Caller; readonly config: Config },
  transaction: Transaction,
): Promise<NewPluginKey> {
  const { PluginKey: Key } = modelsOf(transaction);
  const key = newToken(keyPrefix);
  await lockKeys(source, transaction);
  await countChanged(
    transaction,
    `update plugin_keys set ended_at = clock_timestamp()
     where source = $1 and ended_at is null and expires_at is not null`,
    [source],
  );
  await countChanged(
    transaction,
    `update plugin_keys
     set expires_at = clock_timestamp() + make_interval(hours => $2)
     where source = $1 and ended_at is null`,
    [source, pluginLimits.formerKeyHours],
  );
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

/**
 * Ends every key of a game server now.
 * @returns how many
 * @throws AppError missing when it has none
 */
export async function deleteKeys(
  { source, action, target }: KeyTarget,
  caller: Caller,
  transaction: Transaction,
): Promise<number> {
  const ended = await endKeys(source, transaction);
  if (ended === 0) throw missing("There is no key");
  await recordActivity(
    { actor: caller, action: `${action}.delete`, ...(target && { target }) },
    transaction,
  );
  return ended;
}

/** Ends every key of a game server whose link changed its kind or is deleted. @returns how many */
export async function endKeys(source: string, transaction: Transaction): Promise<number> {
  await lockKeys(source, transaction);
  const ended = await countChanged(
    transaction,
    "update plugin_keys set ended_at = clock_timestamp() where source = $1 and ended_at is null",
    [source],
  );
  if (ended > 0) await notify("plugin_calls", { source }, transaction);
  return ended;
}

/** @throws AppError when the link is not of the kind plugin */
export function requirePluginKind(kind: string): void {
  if (kind === "plugin") return;
  throw new AppError("link_kind", `The link is of the kind ${kind}: change it to plugin first`);
}
