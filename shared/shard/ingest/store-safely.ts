import { setTimeout as sleep } from "node:timers/promises";

import { rejectEvent } from "../../bridge/frame.ts";
import type { Cursor, StreamFrame } from "../../bridge/frames.ts";
import { messageOf } from "../../errors.ts";
import { type Ownership, OwnershipLost } from "../../ingest/ownership.ts";
import type { Logger } from "../../log.ts";
import { storeBatch, storePart } from "./store-batch.ts";

/** SQLSTATE classes that speak of the data, not of the server: 22 data, 23 constraint, 54 limits. */
const dataFaults = ["22", "23", "54"];

/**
 * Stores a batch whatever is in it. When the database refuses its data, halves of it are tried, so
 * that one event that cannot be stored is refused alone and stops nothing.
 * @throws when the database cannot be used or another process owns the source
 */
export const storeSafely = (
  frames: readonly StreamFrame[],
  owner: Ownership,
  log: Logger,
): Promise<Cursor | null> => storeBatch(frames, owner, (part) => storePartSafely(part, owner, log));

/** A refused part was rolled back; parts stored before it are neither stored nor counted twice. */
async function storePartSafely(
  frames: readonly StreamFrame[],
  owner: Ownership,
  log: Logger,
): Promise<Cursor | null> {
  try {
    return await storePart(frames, owner);
  } catch (error) {
    if (error instanceof OwnershipLost || owner.lost.aborted || !isDataFault(error)) throw error;
    log.warn({ err: error, frames: frames.length }, "a batch was refused by the database");
    return storeHalves(frames, owner, log, error);
  }
}

const isDataFault = (error: unknown): boolean =>
  dataFaults.includes(String((error as { code?: unknown }).code).slice(0, 2));

async function storeHalves(
  frames: readonly StreamFrame[],
  owner: Ownership,
  log: Logger,
  cause: unknown,
): Promise<Cursor | null> {
  const [only] = frames;
  if (frames.length === 1 && only) return storePart([refused(only, cause)], owner);
  const half = Math.ceil(frames.length / 2);
  const first = await storePartSafely(frames.slice(0, half), owner, log);
  const second = await storePartSafely(frames.slice(half), owner, log);
  return second ?? first;
}

const refused = (frame: StreamFrame, cause: unknown): StreamFrame =>
  frame.type === "event" ? rejectEvent(frame, "storage", messageOf(cause)) : frame;

/** Waits before the database is tried again, unless stopped. */
export const restBeforeRetry = (signal: AbortSignal): Promise<void> =>
  sleep(1_000, undefined, { signal }).catch(() => undefined);
