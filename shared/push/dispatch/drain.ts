import pLimit, { type LimitFunction } from "p-limit";
import { Op } from "sequelize";

import { clockNowPlus } from "../../../models/queries/clock.ts";
import { computeColumn, readPlainRows } from "../../../models/queries/plain-rows.ts";
import { streamOf, type PushStream, announcementTtlMs } from "../../facts/streams.ts";
import type { Context } from "../../platform/context.ts";
import { retryWrite } from "../../platform/db/persist.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { PushContext } from "../context.ts";
import { markDevicesFailing } from "../devices/store-outcomes.ts";
import type { PushOutcome } from "../relay/faults.ts";
import { maxConcurrentMessages, type AddressedMessage, type Relay } from "../relay/relay.ts";
import { claimDeliveries, type ClaimedDelivery } from "./claim.ts";
import { storePushOutcomes } from "./settle.ts";

/**
 * Two loops send to a relay. While one stores outcomes, the other sends. They claim in turn, so that messages
 * stay in order.
 */
const lanes = 2;
/** After this time the job ends, so that other relays are served. A new job sends the rest. */
const turnMs = 60_000;

/** Relays to which a job of this process is sending. `isWanted` is set if another job asks for the same relay. */
const draining = new WeakMap<Relay, { isWanted: boolean }>();

/** Sends a relay's due deliveries. If several jobs call this, one does the work and checks again for the others. */
export async function drainRelay(
  origin: string,
  context: PushContext,
  signal: AbortSignal,
): Promise<void> {
  const relay = context.relays.of(origin);
  const under = draining.get(relay);
  if (under) {
    under.isWanted = true;
    return;
  }
  const state = { isWanted: true };
  draining.set(relay, state);
  const turn = AbortSignal.any([signal, AbortSignal.timeout(turnMs)]);
  const claimLimit = pLimit(1);
  const sendAll = () => sendWhileDue(relay, { context, byTurns: claimLimit, turn });
  try {
    while (state.isWanted && !turn.aborted && relay.breaker.restMs === 0) {
      state.isWanted = false;
      await Promise.all(Array.from({ length: lanes }, sendAll));
    }
  } finally {
    draining.delete(relay);
  }
  signal.throwIfAborted();
  await scheduleNextRun(relay, context);
}

interface Lane {
  readonly context: PushContext;
  readonly byTurns: LimitFunction;
  readonly turn: AbortSignal;
}

async function sendWhileDue(relay: Relay, lane: Lane): Promise<void> {
  while (!lane.turn.aborted && (await sendNext(relay, lane)));
}

/** @returns true if more deliveries may be due */
async function sendNext(relay: Relay, { context, byTurns }: Lane): Promise<boolean> {
  const admitted = relay.breaker.admit(maxConcurrentMessages / lanes);
  if (admitted === 0) return false;
  try {
    const claim = () => claimDeliveries(relay.origin, admitted, context.sequelize);
    const begun = await byTurns(claim);
    if (!begun) return false;
    const { claimed, tooLate } = begun;
    if (tooLate.length > 0) {
      await retryWrite(() => markDevicesFailing(tooLate, context.sequelize));
    }
    if (claimed.length > 0) await sendClaimed(relay, claimed, context);
    return true;
  } finally {
    relay.breaker.release();
  }
}

async function sendClaimed(
  relay: Relay,
  claimed: readonly ClaimedDelivery[],
  context: PushContext,
): Promise<void> {
  const outcomes = await relay.send(claimed.map(toLetter));
  const tries = claimed.flatMap((one, at) => {
    const outcome = outcomes[at];
    return outcome ? [{ claimed: one, outcome }] : [];
  });
  logFaults(relay, outcomes, context);
  await retryWrite(() => storePushOutcomes(tries, context));
}

/** Logs one line for all faults, because an unreachable relay fails every message. */
function logFaults({ origin }: Relay, outcomes: readonly PushOutcome[], { log }: Context): void {
  const faults = outcomes.filter(({ fault }) => fault !== null && fault !== "gone");
  const [first] = faults;
  if (!first) return;
  const { fault, status, reason } = first;
  log.warn(
    { origin, count: faults.length, fault, status, reason },
    "the push relay did not accept messages",
  );
}

/** The TTL of a message is the time until its push expires. */
function toLetter({ stream, ref, attempts, leftMs, ...to }: ClaimedDelivery): AddressedMessage {
  const name = stream as PushStream;
  const ttl = Math.ceil((attempts === 1 ? announcementTtlMs(name) : leftMs) / 1_000);
  const urgency = streamOf(name).kind === "personal" ? "high" : "normal";
  return { to, message: { stream, ref, urgency, ttl } };
}

/** By relay: the start time of the last job that this process scheduled for it, by the database's clock. */
const scheduledRuns = new WeakMap<Relay, number>();

/** Schedules a job for when the first delivery is due and the breaker allows it, unless one is scheduled. */
async function scheduleNextRun(relay: Relay, { queue, models }: Context): Promise<void> {
  const [next] = await readPlainRows(models.PushDelivery, {
    columns: [],
    computed: times,
    where: { origin: relay.origin, state: "waiting" },
    order: ["nextAt"],
    limit: 1,
  });
  if (!next) return;
  const { now, dueAt } = next;
  const wakeAt = Math.max(dueAt, now + relay.breaker.restMs);
  const ordered = scheduledRuns.get(relay) ?? 0;
  if (ordered > now && ordered <= wakeAt) return;
  await queue.enqueue("push.send", { origin: relay.origin }, { startAfter: new Date(wakeAt) });
  scheduledRuns.set(relay, wakeAt);
}

/** Epoch milliseconds of the database's clock, which also schedules jobs. */
const times = {
  now: computeColumn<number>("(extract(epoch from clock_timestamp()) * 1000)::float8"),
  dueAt: computeColumn<number>("ceil(extract(epoch from next_at) * 1000)::float8"),
};

/** Work that has been due for longer than this was left behind by a dead worker. */
const lateMs = 30_000;

/** Schedules the work that dead workers left behind, and deletes old pushes. */
export async function sweepPushes(context: PushContext): Promise<void> {
  const { queue, sequelize, models } = context;
  await inTransaction(sequelize, async (transaction) => {
    const late = await models.Push.findAll({
      attributes: ["id"],
      where: undispatched,
      order: ["id"],
      limit: maxLatePushes,
      transaction,
    });
    const orders = late.map(({ id }) => ({ pushId: id }));
    await queue.enqueueAll("push.dispatch", orders, transaction);
    const waiting = { where: unsent, group: ["origin"], transaction };
    const due = await models.PushDelivery.findAll({ attributes: ["origin"], ...waiting });
    const relays = due.map(({ origin }) => ({ origin }));
    await queue.enqueueAll("push.send", relays, transaction);
  });
  await executeStatement(sequelize, deleteOldDeliveriesSql);
  await executeStatement(sequelize, deleteOldPushesSql);
}

const maxLatePushes = 1_000;

const undispatched = { dispatchedAt: null, createdAt: { [Op.lt]: clockNowPlus(-lateMs) } };

const unsent = { state: "waiting", nextAt: { [Op.lt]: clockNowPlus(-lateMs) } } as const;

/** Deletes deliveries only after all deliveries of their push are finished, so that none is created twice. */
const deleteOldDeliveriesSql = `
  delete from push_deliveries using pushes
  where push_id = pushes.id and dispatched_at < clock_timestamp() - interval '1 day'
    and expires_at < clock_timestamp() - interval '1 day'`;

/** Deletes old pushes. While a push is stored, repeated announcements of it are ignored. */
const deleteOldPushesSql = `
  delete from pushes where created_at < clock_timestamp() - interval '30 days'`;
