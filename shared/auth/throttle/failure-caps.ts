import { setTimeout as sleep } from "node:timers/promises";

import pLimit, { type LimitFunction } from "p-limit";

import type { Context } from "../../platform/context.ts";
import type { Outcome } from "../../platform/throttle/held-counts.ts";
import type { RateLimitName } from "../../platform/throttle/limit-catalogue.ts";
import { type Held, tooMany } from "../../platform/throttle/rate-limits.ts";
import type { Subject } from "../../platform/throttle/subjects.ts";
import { isGuess, SignInRefusal } from "../rules/refusals.ts";
import { whileWaiting } from "./waiting.ts";

/** A limit of failed proofs of identity and the action when it is full. */
export interface FailureCap {
  readonly name: RateLimitName;
  readonly subject: Subject;
  /** A correct proof resets the failures. */
  readonly forgives?: true;
  /** Called after a failure was counted. */
  readonly failed?: (failures: number) => Promise<void>;
  /** Makes the error while failures fill the cap; by default one that lasts until the window ends. */
  readonly refusal?: () => Promise<Error>;
}

/** An attempt with its caps. */
export interface CappedTry {
  /** The narrowest first. */
  readonly caps: readonly FailureCap[];
  /** The client's address. Its network gets at most half of the waiting places. */
  readonly address: string | undefined;
}

/** Reports a correct proof. Caps that forgive then reset, even if the rest of the attempt fails. */
export type Proven = () => void;

/**
 * Runs one attempt under caps on failures. It reserves room under each cap before the check and returns
 * it unless the proof is wrong, so the caps hold for concurrent attempts of all processes. If attempts in
 * progress fill a cap, the next one waits for room: many people can sign in at once from one address.
 * @throws AppError limited
 */
export async function withinFailureCaps<T>(
  tried: CappedTry,
  context: Context,
  work: (proven: Proven) => Promise<T>,
): Promise<T> {
  const rooms = await takeRoom(tried, context);
  const state = { isProven: false, isFailed: false };
  try {
    return await work(() => {
      state.isProven = true;
    });
  } catch (error) {
    state.isFailed = error instanceof SignInRefusal && isGuess(error.fault);
    throw error;
  } finally {
    await settle(rooms, state, context);
  }
}

async function settle(
  rooms: readonly Room[],
  { isProven, isFailed }: { readonly isProven: boolean; readonly isFailed: boolean },
  { rateLimits }: Context,
): Promise<void> {
  const outcomeOf = ({ forgives }: FailureCap): Outcome => {
    if (forgives && isProven) return "forgiven";
    return isFailed ? "failed" : "released";
  };
  const settled = rooms.map((room) => ({ ...room, outcome: outcomeOf(room) }));
  const failures = await rateLimits.settle(settled);
  for (const [at, { failed, outcome }] of settled.entries()) {
    if (outcome === "failed") await failed?.(failures[at] ?? 0);
  }
}

type Room = FailureCap & Held;

/**
 * Takes room under all caps with one statement. If a cap is full or has a queue, it takes room cap by
 * cap, narrowest first: an attempt that waits for its address holds no room of its networks.
 */
async function takeRoom({ caps, address }: CappedTry, context: Context): Promise<readonly Room[]> {
  const { rateLimits } = context;
  if (!caps.some((cap) => lines.has(lineOf(cap)))) {
    const all = await rateLimits.hold(caps);
    if ("held" in all) return all.held;
  }
  const rooms: Room[] = [];
  try {
    for (const cap of caps) rooms.push(await takeRoomOf(cap, address, context));
    return rooms;
  } catch (error) {
    await rateLimits.release(rooms);
    throw error;
  }
}

async function takeRoomOf(
  cap: FailureCap,
  address: string | undefined,
  context: Context,
): Promise<Room> {
  const line = lineOf(cap);
  const untilMs = performance.now() + context.config.RL_LOGIN_TURN;
  const [first] = lines.has(line) ? [] : await tryRoom(cap, context);
  if (first) return first;
  const waited = () => takeTurn(line, () => awaitRoom(cap, untilMs, context));
  const room = await whileWaiting(waited, address, context.config);
  if (!room) throw tooMany(retryMs);
  return room;
}

/** @returns null after the timeout */
async function awaitRoom(cap: FailureCap, untilMs: number, context: Context): Promise<Room | null> {
  for (;;) {
    const [room] = await tryRoom(cap, context);
    if (room) return room;
    if (performance.now() >= untilMs) return null;
    await sleep(pollMs);
  }
}

/** @returns an empty list while attempts in progress fill the cap */
async function tryRoom(cap: FailureCap, { rateLimits }: Context): Promise<readonly Room[]> {
  const rooms = await rateLimits.hold([cap]);
  if ("held" in rooms) return rooms.held;
  const failures = rooms.full.find(({ isUsedUp }) => isUsedUp);
  if (failures) throw (await cap.refusal?.()) ?? tooMany(failures.endsInMs);
  return [];
}

/** Another process may return room, so poll. */
const pollMs = 50;
/** Retry time for a cap that is full of attempts in progress. */
const retryMs = 2_000;

/** Queues of requests per cap, in order of arrival. The first request of a queue polls. */
const lines = new Map<string, LimitFunction>();

const lineOf = ({ name, subject }: FailureCap): string => `${name} ${subject.id}`;

async function takeTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(name) ?? pLimit(1);
  lines.set(name, line);
  try {
    return await line(work);
  } finally {
    if (line.activeCount + line.pendingCount === 0) lines.delete(name);
  }
}
