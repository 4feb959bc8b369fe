import { setTimeout as sleep } from "node:timers/promises";

import pLimit, { type LimitFunction } from "p-limit";

import type { Context } from "../../platform/context.ts";
import type { Held } from "../../platform/throttle/held-counts.ts";
import type { RateLimitName } from "../../platform/throttle/limit-catalogue.ts";
import { tooMany } from "../../platform/throttle/rate-limits.ts";
import type { Subject } from "../../platform/throttle/subjects.ts";
import { isGuess, SignInRefusal } from "../rules/refusals.ts";
import { whileWaiting } from "./waiting.ts";

/** A cap on failed proofs of identity, and what happens when it is full. */
export interface FailureCap {
  readonly name: RateLimitName;
  readonly subject: Subject;
  /** Of the client that tries: networks share the places of those that wait. */
  readonly address: string | undefined;
  /** A success forgets the failures before it. */
  readonly forgives: boolean;
  /** After a failure was counted. */
  readonly failed: (failures: number) => Promise<void>;
  /** Refuses a try while the cap is full of failures. */
  readonly refuse: (endsInMs: number) => Promise<never>;
}

/**
 * Runs one try under a cap on failures. It is counted before it is looked at, and given back unless
 * it fails: however many come at once, in however many processes, no more of them fail than the cap
 * says. While those that are being looked at fill the cap, the next waits for one that is right: so
 * that many who sign in rightly at once, from one address, all get in.
 * @throws AppError limited
 */
export async function withinFailureCap<T>(
  cap: FailureCap,
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  const { rateLimits } = context;
  const held = await takeRoom(cap, context);
  let settle = () => rateLimits.release(held);
  try {
    const result = await work();
    if (cap.forgives) settle = () => rateLimits.forgive(held);
    return result;
  } catch (error) {
    if (isFailure(error)) settle = () => countFailure(cap, held, context);
    throw error;
  } finally {
    await settle();
  }
}

const isFailure = (error: unknown): boolean =>
  error instanceof SignInRefusal && isGuess(error.fault);

async function countFailure(cap: FailureCap, held: Held, { rateLimits }: Context): Promise<void> {
  await cap.failed(await rateLimits.fail(cap.name, cap.subject, held));
}

async function takeRoom(cap: FailureCap, context: Context): Promise<Held> {
  const line = `${cap.name} ${cap.subject.id}`;
  const first = lines.has(line) ? null : await context.rateLimits.hold(cap.name, cap.subject);
  if (first) return first;
  const untilMs = performance.now() + context.config.RL_LOGIN_TURN;
  const waited = () => takeTurn(line, () => awaitRoom(cap, untilMs, context));
  const held = await whileWaiting(waited, cap.address, context.config);
  if (!held) throw tooMany(retryMs);
  return held;
}

/** @returns null when it took too long */
async function awaitRoom(
  { name, subject, refuse }: FailureCap,
  untilMs: number,
  { rateLimits }: Context,
): Promise<Held | null> {
  for (;;) {
    const held = await rateLimits.hold(name, subject);
    if (held) return held;
    const { uses, endsInMs } = await rateLimits.used(name, subject);
    if (uses >= rateLimits.max(name, subject)) await refuse(endsInMs);
    if (performance.now() >= untilMs) return null;
    await sleep(pollMs);
  }
}

/** Another process may give the room back, so it is asked for again and again. */
const pollMs = 50;
/** When it is worth coming back to a cap that is full of tries and not of failures. */
const retryMs = 2_000;

/** Requests that wait for room under one cap, in the order they came; the first of them asks. */
const lines = new Map<string, LimitFunction>();

async function takeTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(name) ?? pLimit(1);
  lines.set(name, line);
  try {
    return await line(work);
  } finally {
    if (line.activeCount + line.pendingCount === 0) lines.delete(name);
  }
}
