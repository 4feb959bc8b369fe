import { setTimeout as sleep } from "node:timers/promises";

import pLimit, { type LimitFunction } from "p-limit";

import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { NetworkCounts, networksOf } from "../../platform/net/networks.ts";
import type { RateLimitName } from "../../platform/throttle/limit-catalog.ts";
import type { LimitAttemptOutcome } from "../../platform/throttle/limit-counts.ts";
import { type LimitReservation, rateLimitedError } from "../../platform/throttle/rate-limits.ts";
import type { CountedSubject } from "../../platform/throttle/subjects.ts";
import { isCountedAsGuess, SignInRefusal } from "../rules/sign-in-errors.ts";

/** A limit of failed proofs of identity, with its callback and its refusal. */
export interface FailureCap {
  readonly name: RateLimitName;
  readonly subject: CountedSubject;
  /** True if a correct proof resets the failures. */
  readonly forgives?: true;
  /** Called after a failure was counted. */
  readonly failed?: (failures: number) => Promise<void>;
  /** Creates the refusal for a full cap; by default, a refusal until the window ends. */
  readonly refusal?: () => Promise<Error>;
}

/** An attempt with the caps that apply to it. */
export interface CappedAttempt {
  /** Ordered from the narrowest to the widest. */
  readonly caps: readonly FailureCap[];
  /** The client's address. Its network may occupy at most half of the places for waiting requests. */
  readonly address: string | undefined;
}

/** Reports a correct proof. Caps with `forgives` then reset, even if the rest of the attempt fails. */
export type ProofCallback = () => void;

/**
 * Runs one attempt under caps on failures. Before the check it reserves one failure under each cap, and cancels
 * the reservations unless the proof is wrong, so the caps hold for concurrent attempts of all processes. If
 * attempts in progress fill a cap, the next one waits: many people can sign in at once from one address.
 * @throws AppError limited
 */
export async function runWithinFailureCaps<T>(
  cappedAttempt: CappedAttempt,
  context: Context,
  work: (proven: ProofCallback) => Promise<T>,
): Promise<T> {
  const rooms = await reserveRoom(cappedAttempt, context);
  const state = { isProven: false, isFailed: false };
  try {
    return await work(() => {
      state.isProven = true;
    });
  } catch (error) {
    state.isFailed = error instanceof SignInRefusal && isCountedAsGuess(error.fault);
    throw error;
  } finally {
    await settleRooms(rooms, state, context);
  }
}

async function settleRooms(
  rooms: readonly CapRoom[],
  { isProven, isFailed }: { readonly isProven: boolean; readonly isFailed: boolean },
  { rateLimits }: Context,
): Promise<void> {
  const outcomeOf = ({ forgives }: FailureCap): LimitAttemptOutcome => {
    if (forgives && isProven) return "forgiven";
    return isFailed ? "failed" : "released";
  };
  const settled = rooms.map((room) => ({ ...room, outcome: outcomeOf(room) }));
  const failures = await rateLimits.settleAttempts(settled);
  for (const [at, { failed, outcome }] of settled.entries()) {
    if (outcome === "failed") await failed?.(failures[at] ?? 0);
  }
}

type CapRoom = FailureCap & LimitReservation;

/**
 * Makes reservations under all caps with one statement. If a cap is full or has a queue, it reserves cap
 * by cap, narrowest first: an attempt that waits for its address must not occupy its networks' caps.
 */
async function reserveRoom(
  { caps, address }: CappedAttempt,
  context: Context,
): Promise<readonly CapRoom[]> {
  const { rateLimits } = context;
  if (!caps.some((cap) => roomQueues.has(queueKey(cap)))) {
    const all = await rateLimits.holdRoom(caps);
    if ("held" in all) return all.held;
  }
  const rooms: CapRoom[] = [];
  try {
    for (const cap of caps) rooms.push(await reserveCapRoom(cap, address, context));
    return rooms;
  } catch (error) {
    await rateLimits.releaseRoom(rooms);
    throw error;
  }
}

async function reserveCapRoom(
  cap: FailureCap,
  address: string | undefined,
  context: Context,
): Promise<CapRoom> {
  const line = queueKey(cap);
  const untilMs = performance.now() + context.config.RL_LOGIN_TURN;
  const [first] = roomQueues.has(line) ? [] : await tryReserve(cap, context);
  if (first) return first;
  const waitInQueue = () => runInQueue(line, () => waitForRoom(cap, untilMs, context));
  const room = await runWithinWaitingLimit(waitInQueue, address, context.config);
  if (!room) throw rateLimitedError(retryMs);
  return room;
}

/** @returns null if no reservation succeeds before the timeout */
async function waitForRoom(
  cap: FailureCap,
  untilMs: number,
  context: Context,
): Promise<CapRoom | null> {
  for (;;) {
    const [room] = await tryReserve(cap, context);
    if (room) return room;
    if (performance.now() >= untilMs) return null;
    await sleep(pollMs);
  }
}

/** @returns an empty list if attempts in progress fill the cap */
async function tryReserve(cap: FailureCap, { rateLimits }: Context): Promise<readonly CapRoom[]> {
  const rooms = await rateLimits.holdRoom([cap]);
  if ("held" in rooms) return rooms.held;
  const failures = rooms.full.find(({ isUsedUp }) => isUsedUp);
  if (failures) throw (await cap.refusal?.()) ?? rateLimitedError(failures.endsInMs);
  return [];
}

/** Poll, because another process may free a place in the cap. */
const pollMs = 50;
/** The retry time of a refusal while attempts in progress fill the cap. */
const retryMs = 2_000;

/** Queues of waiting attempts, by cap. The first attempt of a queue polls. */
const roomQueues = new Map<string, LimitFunction>();

const queueKey = ({ name, subject }: FailureCap): string => `${name} ${subject.id}`;

async function runInQueue<T>(name: string, work: () => Promise<T>): Promise<T> {
  const line = roomQueues.get(name) ?? pLimit(1);
  roomQueues.set(name, line);
  try {
    return await line(work);
  } finally {
    if (line.activeCount + line.pendingCount === 0) roomQueues.delete(name);
  }
}

/** Requests that wait. Kept in memory because each process limits its own sockets. */
const waitingCounts = new NetworkCounts();

/** Waits for `ms`. @returns false at once if too many requests wait already */
export const sleepWithinWaitingLimit = async (
  ms: number,
  address: string | undefined,
  config: Config,
): Promise<boolean> =>
  ms === 0 || (await runWithinWaitingLimit(() => sleep(ms, true), address, config)) === true;

/** Counts a request as waiting during `work`. A network gets half of the places. @returns null if full */
async function runWithinWaitingLimit<T>(
  work: () => Promise<T>,
  address: string | undefined,
  { RL_LOGIN_WAITING }: Config,
): Promise<T | null> {
  const networks = networksOf(address);
  const widest = networks.at(-1) ?? networks[0];
  if (waitingCounts.total >= RL_LOGIN_WAITING) return null;
  if (waitingCounts.countOf(widest) >= Math.ceil(RL_LOGIN_WAITING / 2)) return null;
  waitingCounts.add(networks);
  try {
    return await work();
  } finally {
    waitingCounts.remove(networks);
  }
}
