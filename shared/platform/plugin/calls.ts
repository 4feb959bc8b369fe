import { randomUUID } from "node:crypto";

import type { Transaction } from "sequelize";

import { hashToken } from "../crypto/tokens.ts";
import { countChanged, firstRow } from "../db/rows.ts";
import { AppError } from "../errors/errors.ts";
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
export const keyPrefix = "ghk_";

const isKey = (text: string): boolean => /^ghk_[\w-]{43}$/.test(text);

/** A call counts as in progress for this time: the longest wait and the time to write the answer. */
const leaseMs = (pluginLimits.waitSeconds + 20) * 1_000;

/**
 * Authenticates a call by its key and counts it. One statement does both, so that concurrent calls in
 * several web processes cannot exceed the limit.
 * @param isCounted true for a call under the key's limit per second
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
  await countChanged(sequelize, endCallSql, values);
}

const nowMs = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
const openCalls = `jsonb_each_text(plugin_keys.calls) as open (id, until)
  where open.until::bigint > ${nowMs}`;
const isLive = "ended_at is null and (expires_at is null or expires_at > clock_timestamp())";
const isSameSecond = "second_began_at > clock_timestamp() - interval '1 second'";

const beginCallSql = {
  name: "plugin_call_begin",
  text: `
  with begun as (update plugin_keys set
    calls = (select coalesce(jsonb_object_agg(open.id, open.until::bigint), '{}') from ${openCalls})
      || jsonb_build_object($2::text, ${nowMs} + $3::bigint),
    first_used_at = coalesce(first_used_at, statement_timestamp()),
    last_used_at = statement_timestamp(),
    second_began_at = case when $5::boolean and not coalesce(${isSameSecond}, false)
      then clock_timestamp() else second_began_at end,
    second_calls = case when not $5::boolean then second_calls
      when coalesce(${isSameSecond}, false) then second_calls + 1 else 1 end
  where digest = $1 and ${isLive}
    and (select count(*) from ${openCalls}) < $4::integer
    and (not $5::boolean or not coalesce(${isSameSecond}, false) or second_calls < $6::integer)
  returning id, source, first_used_at = last_used_at as is_first),
  -- The first call by a new key ends the keys before it.
  former as (update plugin_keys set ended_at = clock_timestamp() from begun
    where begun.is_first and plugin_keys.source = begun.source and plugin_keys.id < begun.id
      and plugin_keys.ended_at is null
    returning plugin_keys.source)
  select id as "keyId", source,
    (select pg_notify('plugin_calls', json_build_object('source', former.source)::text)
      from former limit 1)
  from begun`,
};

const endCallSql = {
  name: "plugin_call_end",
  text: `
  with ended as (update plugin_keys set calls = calls - $2::text where id = $1 returning id)
  update plugin_sessions set heard_at = clock_timestamp(),
    alive_until = greatest(alive_until, clock_timestamp() + make_interval(secs => $4::integer))
  -- The count has the key locked before the session, as everywhere.
  where source = $3 and boot_id is not null and (select count(*) from ended) >= 0
    and $5::boolean`,
};

async function findRefusal(digest: Buffer, sequelize: Services["sequelize"]): Promise<AppError> {
  const known = await firstRow<{ isLive: boolean }>(
    sequelize,
    `select ${isLive} as "isLive" from plugin_keys where digest = $1`,
    [digest],
  );
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

/**
 * SQL condition: true if a key is valid. The body of a call may arrive long after its headers, so each
 * change that a call makes checks the key again.
 * @param keyId SQL of the key's id
 */
export const isKeyUsableSql = (keyId: string): string =>
  `exists (select from plugin_keys where plugin_keys.id = ${keyId} and ${isLive})`;

/** @throws AppError plugin_key_ended if the key of the call is no longer valid */
export async function requireLiveKey(
  keyId: number,
  { sequelize }: Services,
  transaction?: Transaction,
): Promise<void> {
  const text = `select 1 as live from plugin_keys where id = $1 and ${isLive}`;
  if (!(await firstRow(transaction ?? sequelize, text, [keyId]))) throw keyEndedError();
}

/** SQL condition: true if a source has a valid key. @param source SQL of the source's name */
export const hasLiveKeySql = (source: string): string =>
  `exists (select from plugin_keys where plugin_keys.source = ${source} and ${isLive})`;

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
