import { rejectEvent } from "../bridge/frame.ts";
import { type Cursor, type StreamFrame, bootOf, speaksOfStream } from "../bridge/frames.ts";
import { messageOf } from "../errors/errors.ts";
import type { Logger } from "../log.ts";
import { FrameRefused } from "./frame-refused.ts";
import { type Ownership, OwnershipLost } from "./ownership.ts";
import type { Source } from "./source.ts";

/** SQLSTATE classes that speak of the data, not of the server: 22 data, 23 constraint, 54 limits. */
const dataFaults = ["22", "23", "54"];

/**
 * Stores a batch of frames, each part of it in one transaction. When the database, or what is made of
 * a frame, refuses a part for its data, halves of it are tried, so that one event that cannot be stored is refused alone
 * and stops nothing; what was refused was rolled back, so nothing is counted twice.
 * @returns the committed position, or null when no frame had one
 * @throws {OwnershipLost} when another process has taken over, or whatever the database says when
 * it cannot be used; what was not stored comes again after the stored cursor
 */
export async function storeBatch(
  frames: readonly StreamFrame[],
  owner: Ownership,
  source: Pick<Source, "beginsPart" | "storePart">,
  log: Logger,
): Promise<Cursor | null> {
  let committed: Cursor | null = null;
  const waiting = splitIntoParts(frames, source);
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    try {
      committed = (await source.storePart(part, owner)) ?? committed;
    } catch (error) {
      if (owner.lost.aborted || !isDataFault(error)) throw error;
      log.warn({ err: error, frames: part.length }, "a batch was refused for its data");
      waiting.unshift(...splitRefused(part, error));
    }
  }
  return committed;
}

/**
 * Begins a part at every frame that speaks of the stream itself, and where the game process is
 * another: the events of a part are of one epoch, a gap makes doubtful what came before it and not
 * what comes after, and states die with a game process before the next one's events move them.
 */
function splitIntoParts(
  frames: readonly StreamFrame[],
  { beginsPart }: Pick<Source, "beginsPart">,
): StreamFrame[][] {
  const parts: StreamFrame[][] = [];
  let boot: string | null = null;
  for (const frame of frames) {
    const isOther = bootOf(frame) !== null && bootOf(frame) !== boot;
    boot = bootOf(frame) ?? boot;
    const part = parts.at(-1);
    const isFirst = isOther || speaksOfStream(frame) || (part && beginsPart(frame, part));
    if (!part || isFirst) parts.push([frame]);
    else part.push(frame);
  }
  return parts;
}

const isDataFault = (error: unknown): boolean =>
  error instanceof FrameRefused ||
  (!(error instanceof OwnershipLost) &&
    dataFaults.includes(String((error as { code?: unknown }).code).slice(0, 2)));

/** Two halves; an event alone becomes a rejected frame. @throws the error of any other frame alone */
function splitRefused(part: readonly StreamFrame[], error: unknown): StreamFrame[][] {
  const [only] = part;
  if (part.length > 1) {
    const half = Math.ceil(part.length / 2);
    return [part.slice(0, half), part.slice(half)];
  }
  if (only?.type !== "event") throw error;
  const reason = error instanceof FrameRefused ? error.reason : "storage";
  return [[rejectEvent(only, reason, messageOf(error))]];
}
