import type { Transaction } from "sequelize";

import { executeStatement, firstRow, rows } from "../db/rows.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError, invalidFieldsError } from "../errors/errors.ts";
import { notify } from "../notify/channels.ts";
import { type PluginCall, requireLiveKey, linkDisabledError, requireCurrentBoot } from "./calls.ts";
import { queueHelloSql } from "./inbox.sql.ts";
import { markTakenCommandsLost } from "./outcomes.ts";
import { pluginLimits } from "./plugin-limits.ts";
import type { PluginServices } from "./services.ts";
import {
  insertSessionSql,
  selectSessionStateSql,
  updateRefusalSql,
  updateSessionSql,
} from "./sessions.sql.ts";
import { gameOf, type PluginGame } from "./sources.ts";

export interface Hello {
  readonly protocol: number;
  readonly game: PluginGame;
  readonly plugin: { readonly name: string; readonly version: string };
  readonly server: {
    readonly name: string;
    readonly version: string;
    readonly expansion?: string | null;
  };
  readonly bootId: string;
  readonly epoch: string;
  readonly oldest: number;
  readonly head: number;
  readonly capabilities: readonly string[];
}

export interface HelloAnswer {
  readonly cursor: { readonly epoch: string; readonly seq: number } | null;
  readonly resync: readonly string[];
  readonly pollSeconds: number;
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly now: number;
}

interface SessionState {
  readonly isLinked: boolean;
  readonly bootId: string | null;
  readonly epoch: string | null;
  readonly seq: number;
  readonly formerBoots: Readonly<Record<string, number>>;
  readonly readEpoch: string | null;
  readonly readSeq: number | null;
  readonly readBootId: string | null;
  readonly stale: readonly string[];
  /** True if the answer to the last hello requested a resync. The plugin may not have received that answer. */
  readonly wasTold: boolean;
}

/**
 * Starts or repeats the session of a game process. A process with another boot id takes over the link,
 * and the former process is refused from then on.
 * @param families all kinds of states that the game can send
 * @throws AppError plugin_disabled, plugin_protocol, plugin_superseded, plugin_epoch; validation_failed
 * if the link is for another game
 */
export async function beginSession(
  call: PluginCall,
  hello: Hello,
  families: readonly string[],
  context: Pick<PluginServices, "sequelize">,
): Promise<HelloAnswer> {
  const { source } = call;
  if (hello.game !== gameOf(source)) {
    const message = `game must be ${gameOf(source)}: the key belongs to a server of that game`;
    throw invalidFieldsError([{ path: "game", message }]);
  }
  const refusal = protocolRefusal(hello);
  const begun = await inTransaction(context.sequelize, async (transaction) => {
    const known = await lockSession(source, transaction);
    await requireLiveKey(call.keyId, context, transaction);
    if (!known.isLinked) throw linkDisabledError();
    requireCurrentBoot(hello.bootId, known.formerBoots);
    if (refusal) return storeRefusal(source, hello, refusal, transaction);
    const stored = storedSeq(hello.epoch, known);
    if (stored !== null && hello.head < stored) {
      const message = `The site has events of this epoch up to ${stored}, and the plugin only up to
        ${hello.head}: the plugin must begin a new epoch`.replace(/\s+/g, " ");
      throw new AppError("plugin_epoch", message);
    }
    const isNew = known.bootId !== hello.bootId || known.epoch !== hello.epoch;
    const resync = mayHaveMissedStates(hello, known) || known.wasTold ? families : known.stale;
    const seq = stored ?? hello.oldest - 1;
    const requestsStates = resync.length > 0;
    await writeSession(call, { hello, known, seq, tellsStates: requestsStates }, transaction);
    await queueHello(source, hello, transaction);
    if (isNew) await markTakenCommandsLost(source, transaction);
    return {
      cursor: stored === null || stored < 0 ? null : { epoch: hello.epoch, seq: stored },
      resync,
      pollSeconds: pluginLimits.waitSeconds,
      maxEvents: pluginLimits.events,
      maxBytes: pluginLimits.bytes,
      now: Date.now(),
    };
  });
  if (begun) return begun;
  throw new AppError("plugin_protocol", refusal ?? "", { extra: pluginLimits.protocol });
}

/** Returns the reason why the site refuses a plugin's protocol version; null if the version is supported. */
function protocolRefusal({ protocol, plugin }: Hello): string | null {
  const { min, max } = pluginLimits.protocol;
  if (protocol >= min && protocol <= max) return null;
  const spoken = [...new Set<number>([min, max])].join(" to ");
  const advice = protocol > max ? "update the site" : "update the plugin";
  return `${plugin.name} ${plugin.version} speaks protocol ${protocol}, this site speaks ${spoken}: ${advice}`;
}

/** Stores the refusal, which administrators see, unless another game process is connected. */
async function storeRefusal(
  source: string,
  { bootId }: Hello,
  refusal: string,
  transaction: Transaction,
): Promise<undefined> {
  await executeStatement(transaction, updateRefusalSql, [source, bootId, refusal]);
  await notify("plugin_inbox", { source }, transaction);
}

/** Locks the source and the session, so that hellos are handled one after another. */
async function lockSession(source: string, transaction: Transaction): Promise<SessionState> {
  await executeStatement(transaction, insertSessionSql, [source]);
  const known = await firstRow<SessionState>(transaction, selectSessionStateSql, [source]);
  if (!known) throw linkDisabledError();
  return known;
}

/** Returns the newest `seq` of an epoch that is durably stored, in the inbox or in the tables. */
function storedSeq(epoch: string, { epoch: received, seq, readEpoch, readSeq }: SessionState) {
  const known = [
    ...(received === epoch ? [seq] : []),
    ...(readEpoch === epoch && readSeq !== null ? [readSeq] : []),
  ];
  return known.length === 0 ? null : Math.max(...known);
}

/** Returns true if states may have changed without an event that ingest has read. */
const mayHaveMissedStates = ({ bootId, epoch }: Hello, known: SessionState): boolean =>
  known.readEpoch !== epoch || known.readBootId !== bootId;

interface SessionStart {
  readonly hello: Hello;
  readonly known: SessionState;
  readonly seq: number;
  /** True if the answer to the hello requests a resync of states. */
  readonly tellsStates: boolean;
}

async function writeSession(
  { source, keyId }: PluginCall,
  { hello, known, seq, tellsStates }: SessionStart,
  transaction: Transaction,
): Promise<void> {
  const now = Date.now();
  // Sort the former processes by time: jsonb does not keep the order of keys.
  const former = Object.entries(known.formerBoots)
    .filter(([, until]) => until > now)
    .toSorted(([, one], [, other]) => one - other);
  if (known.bootId !== null && known.bootId !== hello.bootId) {
    former.push([known.bootId, now + pluginLimits.rememberedHours * 3_600_000]);
  }
  await executeStatement(transaction, updateSessionSql, [
    source,
    hello.bootId,
    hello.epoch,
    seq,
    JSON.stringify(hello),
    pluginLimits.silentSeconds,
    JSON.stringify(Object.fromEntries(former.slice(-maxFormerBoots))),
    tellsStates,
    keyId,
  ]);
  // End the long poll of the plugin's former process.
  await notify("plugin_calls", { source }, transaction);
}

/** Maximum number of former game processes to keep. */
const maxFormerBoots = 100;

/** Adds the hello to the inbox. Replaces a hello without later calls, so that the inbox stays small. */
async function queueHello(source: string, hello: Hello, transaction: Transaction): Promise<void> {
  const content = JSON.stringify(hello);
  await rows(transaction, queueHelloSql, [
    source,
    hello.bootId,
    hello.epoch,
    content.length,
    content,
  ]);
  await notify("plugin_inbox", { source }, transaction);
}
