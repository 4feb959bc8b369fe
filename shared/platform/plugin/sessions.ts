import type { Transaction } from "sequelize";

import { countChanged, firstRow, rows } from "../db/rows.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError, invalidFields } from "../errors/errors.ts";
import { notify } from "../notify/channels.ts";
import { type PluginCall, requireLiveKey, refuseDisabled, refuseFormerBoot } from "./calls.ts";
import { lockedSource } from "./lock-order.ts";
import { loseTaken } from "./outcomes.ts";
import type { PluginParts } from "./parts.ts";
import { pluginLimits } from "./plugin-limits.ts";
import { gameOf, isLinkedByPlugin, type PluginGame } from "./sources.ts";

/** The body of a hello. */
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

/** The answer of a hello. */
export interface Welcome {
  readonly cursor: { readonly epoch: string; readonly seq: number } | null;
  readonly resync: readonly string[];
  readonly pollSeconds: number;
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly now: number;
}

interface Known {
  readonly isLinked: boolean;
  readonly bootId: string | null;
  readonly epoch: string | null;
  readonly seq: number;
  readonly formerBoots: Readonly<Record<string, number>>;
  readonly readEpoch: string | null;
  readonly readSeq: number | null;
  readonly readBootId: string | null;
  readonly stale: readonly string[];
  /** Whether the answer of the hello before named states, and may not have arrived. */
  readonly wasTold: boolean;
}

/**
 * Begins the session of a game process, or repeats its beginning. A process with another boot id takes
 * the link over, and the one before it is refused from then on.
 * @param families all of which the game can send snapshots
 * @throws AppError plugin_disabled, plugin_protocol, plugin_superseded, plugin_epoch; validation_failed
 *   where the game is not the one of the link
 */
export async function beginSession(
  call: PluginCall,
  hello: Hello,
  families: readonly string[],
  context: Pick<PluginParts, "sequelize">,
): Promise<Welcome> {
  const { source } = call;
  if (hello.game !== gameOf(source)) {
    const message = `game must be ${gameOf(source)}: the key belongs to a server of that game`;
    throw invalidFields([{ path: "game", message }]);
  }
  const refusal = protocolRefusal(hello);
  const begun = await inTransaction(context.sequelize, async (transaction) => {
    const known = await lockSession(source, transaction);
    await requireLiveKey(call.keyId, context, transaction);
    if (!known.isLinked) throw refuseDisabled();
    refuseFormerBoot(hello.bootId, known.formerBoots);
    if (refusal) return noteRefusal(source, hello, refusal, transaction);
    const stored = storedSeq(hello.epoch, known);
    if (stored !== null && hello.head < stored) {
      const message = `The site has events of this epoch up to ${stored}, and the plugin only up to
        ${hello.head}: the plugin must begin a new epoch`.replace(/\s+/g, " ");
      throw new AppError("plugin_epoch", message);
    }
    const isNew = known.bootId !== hello.bootId || known.epoch !== hello.epoch;
    const resync = isRestarted(hello, known) || known.wasTold ? families : known.stale;
    const seq = stored ?? hello.oldest - 1;
    const tellsStates = resync.length > 0;
    await writeSession(call, { hello, known, seq, tellsStates }, transaction);
    await queueHello(source, hello, transaction);
    if (isNew) await loseTaken(source, transaction);
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

/** SQL that says whether the answer of a hello named states within the last seconds. */
export const wasToldLately = "resync_told_at > clock_timestamp() - interval '10 seconds'";

/** Why the site cannot work with a plugin's version of the calls; null when it can. */
function protocolRefusal({ protocol, plugin }: Hello): string | null {
  const { min, max } = pluginLimits.protocol;
  if (protocol >= min && protocol <= max) return null;
  const spoken = [...new Set<number>([min, max])].join(" to ");
  const advice = protocol > max ? "update the site" : "update the plugin";
  return `${plugin.name} ${plugin.version} speaks protocol ${protocol}, this site speaks ${spoken}: ${advice}`;
}

/** Shows administrators the refusal, unless another game process works. */
async function noteRefusal(
  source: string,
  { bootId }: Hello,
  refusal: string,
  transaction: Transaction,
): Promise<undefined> {
  await countChanged(
    transaction,
    `update plugin_sessions set refusal = $3
     where source = $1 and (boot_id = $2 or alive_until > clock_timestamp() is not true)`,
    [source, bootId, refusal],
  );
  await notify("plugin_inbox", { source }, transaction);
}

/** Locks the source and the row of the session, so that two hellos follow one another. */
async function lockSession(source: string, transaction: Transaction): Promise<Known> {
  await countChanged(
    transaction,
    `with locked as materialized (${lockedSource("$1")})
     insert into plugin_sessions (source) select source from locked
     on conflict (source) do nothing`,
    [source],
  );
  const known = await firstRow<Known>(
    transaction,
    `select ${isLinkedByPlugin("$1")} as "isLinked", session.boot_id as "bootId", session.epoch,
       session.seq, session.former_boots as "formerBoots", read.epoch as "readEpoch",
       read.seq as "readSeq", read.boot_id as "readBootId", read.stale,
       coalesce(${wasToldLately}, false) as "wasTold"
     from plugin_sessions session join ingest_sources read using (source)
     where source = $1 for update of session`,
    [source],
  );
  if (!known) throw refuseDisabled();
  return known;
}

/** The newest event of an epoch that is stored for good, be it in the inbox or read from it. */
function storedSeq(epoch: string, { epoch: received, seq, readEpoch, readSeq }: Known) {
  const known = [
    ...(received === epoch ? [seq] : []),
    ...(readEpoch === epoch && readSeq !== null ? [readSeq] : []),
  ];
  return known.length === 0 ? null : Math.max(...known);
}

/** Whether states may have changed that no event told of. */
const isRestarted = ({ bootId, epoch }: Hello, known: Known): boolean =>
  known.readEpoch !== epoch || known.readBootId !== bootId;

interface Beginning {
  readonly hello: Hello;
  readonly known: Known;
  readonly seq: number;
  /** Whether the answer names states that are to be sent. */
  readonly tellsStates: boolean;
}

async function writeSession(
  { source, keyId }: PluginCall,
  { hello, known, seq, tellsStates }: Beginning,
  transaction: Transaction,
): Promise<void> {
  const now = Date.now();
  // jsonb does not keep the order of its keys.
  const former = Object.entries(known.formerBoots)
    .filter(([, until]) => until > now)
    .toSorted(([, one], [, other]) => one - other);
  if (known.bootId !== null && known.bootId !== hello.bootId) {
    former.push([known.bootId, now + pluginLimits.rememberedHours * 3_600_000]);
  }
  await countChanged(
    transaction,
    `update plugin_sessions set boot_id = $2, epoch = $3, seq = $4, hello = $5::jsonb,
       hello_at = clock_timestamp(), heard_at = clock_timestamp(), refusal = null,
       alive_until = clock_timestamp() + make_interval(secs => $6), former_boots = $7::jsonb,
       wait_id = case when boot_id = $2 then wait_id end,
       resync_told_at = case when $8::boolean then clock_timestamp() end, key_id = $9
     where source = $1`,
    [
      source,
      hello.bootId,
      hello.epoch,
      seq,
      JSON.stringify(hello),
      pluginLimits.silentSeconds,
      JSON.stringify(Object.fromEntries(former.slice(-maxFormerBoots))),
      tellsStates,
      keyId,
    ],
  );
  // A wait of the process before ends now.
  await notify("plugin_calls", { source }, transaction);
}

/** Game processes that are remembered as superseded. */
const maxFormerBoots = 100;

/**
 * Hands the hello to ingest. It replaces a hello that nothing came after, so that a plugin that repeats its
 * hello does not fill the inbox while ingest is away.
 */
async function queueHello(source: string, hello: Hello, transaction: Transaction): Promise<void> {
  const content = JSON.stringify(hello);
  await rows(
    transaction,
    `with repeated as (
       delete from plugin_inbox
       where id = (select max(id) from plugin_inbox where source = $1) and kind = 'hello')
     insert into plugin_inbox (source, kind, boot_id, epoch, events, bytes, content)
     values ($1, 'hello', $2, $3, 0, $4, $5)`,
    [source, hello.bootId, hello.epoch, content.length, content],
  );
  await notify("plugin_inbox", { source }, transaction);
}
