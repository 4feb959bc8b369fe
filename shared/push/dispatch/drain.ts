import pLimit, { type LimitFunction } from "p-limit";
import { Op } from "sequelize";

import { clockAfter } from "../../../models/queries/clock.ts";
import { computed, plainRows } from "../../../models/queries/plain-rows.ts";
import { streamOf, type PushStream, newsMs } from "../../facts/streams.ts";
import type { Context } from "../../platform/context.ts";
import { persist } from "../../platform/db/persist.ts";
import { countChanged } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { PushContext } from "../context.ts";
import { noteTooLate } from "../devices/note-outcome.ts";
import type { Outcome } from "../relay/faults.ts";
import { inFlight, type Letter, type Relay } from "../relay/relay.ts";
import { claimDeliveries, type Claimed } from "./claim.ts";
import { settleTries } from "./settle.ts";

/**
 * Two rounds at a relay overlap: while one stores how its messages ended, the other sends. They claim by
 * turns: at once they would share out messages that are to go together, and the first could come last.
 */
const lanes = 2;
/** After so long others have a turn, and a job of its own goes on here. */
const turnMs = 60_000;

/**
 * Relays that a job of this process sends to, and whether others came to wake it meanwhile. Memory:
 * what waits is told by its rows.
 */
const draining = new WeakMap<Relay, { isWanted: boolean }>();

/**
 * Sends what waits for a relay until nothing is due. Any number of jobs may ask for it: one of a
 * process does it, and looks again for what the others were there for.
 */
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
  const byTurns = pLimit(1);
  const sendAll = () => sendWhileDue(relay, { context, byTurns, turn });
  try {
    while (state.isWanted && !turn.aborted && relay.breaker.restMs === 0) {
      state.isWanted = false;
      await Promise.all(Array.from({ length: lanes }, sendAll));
    }
  } finally {
    draining.delete(relay);
  }
  signal.throwIfAborted();
  await comeBack(relay, context);
}

interface Lane {
  readonly context: PushContext;
  readonly byTurns: LimitFunction;
  readonly turn: AbortSignal;
}

async function sendWhileDue(relay: Relay, lane: Lane): Promise<void> {
  while (!lane.turn.aborted && (await sendNext(relay, lane)));
}

/** @returns whether there may be more */
async function sendNext(relay: Relay, { context, byTurns }: Lane): Promise<boolean> {
  const admitted = relay.breaker.admit(inFlight / lanes);
  if (admitted === 0) return false;
  try {
    const claim = () => claimDeliveries(relay.origin, admitted, context.sequelize);
    const begun = await byTurns(claim);
    if (!begun) return false;
    const { claimed, tooLate } = begun;
    if (tooLate.length > 0) await persist(() => noteTooLate(tooLate, context.sequelize));
    if (claimed.length > 0) await sendClaimed(relay, claimed, context);
    return true;
  } finally {
    relay.breaker.release();
  }
}

async function sendClaimed(
  relay: Relay,
  claimed: readonly Claimed[],
  context: PushContext,
): Promise<void> {
  const outcomes = await relay.send(claimed.map(letterOf));
  const tries = claimed.flatMap((one, at) => {
    const outcome = outcomes[at];
    return outcome ? [{ claimed: one, outcome }] : [];
  });
  tellFaults(relay, outcomes, context);
  await persist(() => settleTries(tries, context));
}

/** One line for all of them: a relay that is away fails every message alike. */
function tellFaults({ origin }: Relay, outcomes: readonly Outcome[], { log }: Context): void {
  const faults = outcomes.filter(({ fault }) => fault !== null && fault !== "gone");
  const [first] = faults;
  if (!first) return;
  const { fault, status, reason } = first;
  log.warn({ origin, count: faults.length, fault, status, reason }, "messages were not taken");
}

/** A retry lives at the relay only for as long as is left of the news. */
function letterOf({ stream, ref, attempts, leftMs, ...to }: Claimed): Letter {
  const name = stream as PushStream;
  const ttl = Math.ceil((attempts === 1 ? newsMs(name) : leftMs) / 1_000);
  const urgency = streamOf(name).kind === "personal" ? "high" : "normal";
  return { to, message: { stream, ref, urgency, ttl } };
}

/** The last run that a process ordered for a relay, by the database's clock. */
const wakings = new WeakMap<Relay, number>();

/**
 * Has what still waits for a relay sent by a later run: when the first of it is due, and the relay has
 * rested. What is due after that is seen to by that run in turn. Only a run that is still to come is
 * counted on.
 */
async function comeBack(relay: Relay, { queue, models }: Context): Promise<void> {
  const [next] = await plainRows(models.PushDelivery, {
    columns: [],
    computed: times,
    where: { origin: relay.origin, state: "waiting" },
    order: ["nextAt"],
    limit: 1,
  });
  if (!next) return;
  const { now, dueAt } = next;
  const wakeAt = Math.max(dueAt, now + relay.breaker.restMs);
  const ordered = wakings.get(relay) ?? 0;
  if (ordered > now && ordered <= wakeAt) return;
  await queue.enqueue("push.send", { origin: relay.origin }, { startAfter: new Date(wakeAt) });
  wakings.set(relay, wakeAt);
}

/** Epoch milliseconds of the database's clock, by which jobs are put off too. */
const times = {
  now: computed<number>("(extract(epoch from clock_timestamp()) * 1000)::float8"),
  dueAt: computed<number>("ceil(extract(epoch from next_at) * 1000)::float8"),
};

/** What must have been taken up by then was left by a worker that died. */
const lateMs = 30_000;

/** Takes up what the jobs of dead workers left, and forgets what is long over. */
export async function sweepPushes(context: PushContext): Promise<void> {
  const { queue, sequelize, models } = context;
  await inTransaction(sequelize, async (transaction) => {
    const late = await models.Push.findAll({
      attributes: ["id"],
      where: undispatched,
      order: ["id"],
      limit: mostLate,
      transaction,
    });
    const orders = late.map(({ id }) => ({ pushId: id }));
    await queue.enqueueAll("push.dispatch", orders, transaction);
    const waiting = { where: unsent, group: ["origin"], transaction };
    const due = await models.PushDelivery.findAll({ attributes: ["origin"], ...waiting });
    const relays = due.map(({ origin }) => ({ origin }));
    await queue.enqueueAll("push.send", relays, transaction);
  });
  await countChanged(sequelize, overDeliveries);
  await countChanged(sequelize, overPushes);
}

/** Of one sweep. */
const mostLate = 1_000;

const undispatched = { dispatchedAt: null, createdAt: { [Op.lt]: clockAfter(-lateMs) } };

const unsent = { state: "waiting", nextAt: { [Op.lt]: clockAfter(-lateMs) } } as const;

/** Deliveries stand until all of their push are done with, so that none is made twice. */
const overDeliveries = `
  delete from push_deliveries using pushes
  where push_id = pushes.id and dispatched_at < clock_timestamp() - interval '1 day'
    and expires_at < clock_timestamp() - interval '1 day'`;

/** For as long as a push stands, what repeats it is passed over. */
const overPushes = `
  delete from pushes where created_at < clock_timestamp() - interval '30 days'`;
