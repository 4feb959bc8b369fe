import { toRejectedFrame } from "../bridge/frame.ts";
import {
  type Cursor,
  gameProcessOf,
  isStreamStatusFrame,
  type RejectReason,
  type StreamFrame,
} from "../bridge/frames.ts";
import { messageOf } from "../errors/errors.ts";
import type { Logger } from "../log.ts";
import { type SourceOwnership, OwnershipLostError } from "./ownership.ts";
import type { GameServerSource } from "./source.ts";
import { type AnyGameHandlers, storeFramesAtomically } from "./store-part.ts";

/** SQLSTATE classes of errors that are caused by the data: 22 data, 23 constraint, 54 limits. */
const dataErrorClasses = ["22", "23", "54"];

/**
 * Stores a batch of frames, each part in one transaction. If the data of a part is refused, its halves
 * are retried, so that only the faulty event is rejected. A rollback undoes the refused part, so nothing
 * is counted twice. Frames that were not stored are read again later.
 * @returns the committed position; null if no frame has one
 * @throws {OwnershipLostError} if another process has taken over, or the error of an unavailable database
 */
export async function storeFrames(
  frames: readonly StreamFrame[],
  owner: SourceOwnership,
  { game }: Pick<GameServerSource, "game">,
  log: Logger,
): Promise<Cursor | null> {
  let committed: Cursor | null = null;
  const waiting = splitIntoParts(frames, game);
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    try {
      committed = (await storeFramesAtomically(part, owner, game)) ?? committed;
    } catch (error) {
      if (owner.lost.aborted || !isDataFault(error)) throw error;
      log.warn(
        { err: error, frames: part.length },
        "a batch contains data that cannot be stored: it is split, or its only event is rejected",
      );
      waiting.unshift(...splitRefused(part, error));
    }
  }
  return committed;
}

/**
 * Splits frames into parts at every frame about the stream itself and at each change of the game process: a gap
 * must make only states before it outdated, and the states of one game process must end before events of the next
 * process are stored. The events of a part have one epoch.
 */
function splitIntoParts(
  frames: readonly StreamFrame[],
  { startsNewPart }: AnyGameHandlers,
): StreamFrame[][] {
  const parts: StreamFrame[][] = [];
  let boot: string | null = null;
  for (const frame of frames) {
    const isOther = gameProcessOf(frame) !== null && gameProcessOf(frame) !== boot;
    boot = gameProcessOf(frame) ?? boot;
    const part = parts.at(-1);
    const isFirst = isOther || isStreamStatusFrame(frame) || (part && startsNewPart?.(frame, part));
    if (!part || isFirst) parts.push([frame]);
    else part.push(frame);
  }
  return parts;
}

const isDataFault = (error: unknown): boolean =>
  error instanceof FrameRefusedError ||
  (!(error instanceof OwnershipLostError) &&
    dataErrorClasses.includes(String((error as { code?: unknown }).code).slice(0, 2)));

/**
 * Returns the halves of a refused part. Returns a single event as a rejected frame.
 * @throws the error if the part is a single frame that is not an event
 */
function splitRefused(part: readonly StreamFrame[], error: unknown): StreamFrame[][] {
  const [only] = part;
  if (part.length > 1) {
    const half = Math.ceil(part.length / 2);
    return [part.slice(0, half), part.slice(half)];
  }
  if (only?.type !== "event") throw error;
  const reason = error instanceof FrameRefusedError ? error.reason : "storage";
  return [[toRejectedFrame(only, reason, messageOf(error))]];
}

/** Thrown if a frame contradicts the stored rows; only this frame is refused. */
export class FrameRefusedError extends Error {
  readonly reason: RejectReason;

  constructor(reason: RejectReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
