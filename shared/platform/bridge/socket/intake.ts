import { toRejectedFrame } from "../frame.ts";
import {
  type Cursor,
  type EventFrame,
  type Frame,
  type HelloFrame,
  cursorOfFrame,
  type RejectedFrame,
  type StreamFrame,
  type StreamGap,
} from "../frames.ts";
import { describeProtocolMismatch } from "../refusals.ts";
import type { FrameQueue } from "./frame-queue.ts";
import { StreamSequence } from "./sequence.ts";

/**
 * A fault that ends a connection: another protocol version, a buffer that ends before the stored position, or
 * events in a wrong order.
 */
export interface StreamFault {
  readonly code: "protocol" | "behind" | "order";
  readonly reason: string;
}

export interface IntakeCounters {
  readonly received: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly gaps: number;
  readonly ignored: number;
}

/** A frame after the hello that is not an event: it reports on the stream or on the game process. */
type ControlFrame = Exclude<Frame, HelloFrame | EventFrame | RejectedFrame>;

const notHello: StreamFault = { code: "order", reason: "the first frame is not a hello" };

/** After this many failures at one position, the stream skips the position. */
const maxFailures = 2;

/** Checks the order of a sidecar's frames over all connections, and queues them. */
export class FrameIntake {
  readonly #queue: FrameQueue<StreamFrame>;
  readonly #sequence = new StreamSequence();
  readonly #counters = { received: 0, duplicates: 0, rejected: 0, gaps: 0, ignored: 0 };
  #hello: HelloFrame | null = null;
  #protocol = 0;
  #hasProgress = false;
  #breaks = { at: "", count: 0 };

  constructor(queue: FrameQueue<StreamFrame>) {
    this.#queue = queue;
  }

  get hello(): HelloFrame | null {
    return this.#hello;
  }

  get position(): Cursor | null {
    return this.#sequence.position;
  }

  get counters(): IntakeCounters {
    return { ...this.#counters };
  }

  /** True if the connection delivered an event or the end of the replay. */
  get hasProgress(): boolean {
    return this.#hasProgress;
  }

  /** Starts after `cursor`; null starts at the beginning of the sidecar's buffer. */
  resume(cursor: Cursor | null): void {
    this.#sequence.resume(cursor);
  }

  /** Prepares for a new connection with this protocol. */
  open(protocol: number): void {
    this.#protocol = protocol;
    this.#hello = null;
    this.#hasProgress = false;
  }

  /** Counts a connection that ended at a frame too large to read. The second time, skips that frame. */
  skipOversized(reason: string): void {
    if (!this.#hello || this.#countBreak(reason) < maxFailures) return;
    this.#putGaps(this.#sequence.skipNext(reason));
  }

  /** Takes a frame. @param bytes its size @returns the fault if the connection must end */
  accept(frame: Frame, bytes: number): StreamFault | undefined {
    if (frame.type === "hello") return this.#acceptHello(frame, bytes);
    // Before the hello, accept only unreadable frames, which are stored for administrators.
    if (!this.#hello && frame.type !== "rejected") return notHello;
    if (frame.type !== "event" && frame.type !== "rejected") return this.#acceptNews(frame, bytes);
    const cursor = cursorOfFrame(frame);
    if (cursor) {
      if (cursor.epoch !== this.#hello?.epoch) return this.accept(withoutPosition(frame), bytes);
      const order = this.#sequence.advanceTo(cursor.seq, this.#putGap);
      if (order === "hole") return this.#judgeHole(frame, cursor.seq, bytes);
      if (order === "duplicate") {
        this.#counters.duplicates += 1;
        return undefined;
      }
    }
    // A connection without a hello must not count as progress, so that it is retried with backoff.
    this.#hasProgress = this.#hello !== null;
    this.#counters.received += 1;
    this.#counters.rejected += frame.type === "rejected" ? 1 : 0;
    this.#queue.put(frame, bytes);
    return undefined;
  }

  #acceptHello(hello: HelloFrame, bytes: number): StreamFault | undefined {
    if (hello.protocol !== this.#protocol) {
      return { code: "protocol", reason: describeProtocolMismatch(hello.protocol, this.#protocol) };
    }
    const after = this.#sequence.position?.seq;
    if (!this.#sequence.begin(hello)) {
      return { code: "behind", reason: `the buffer ends at ${hello.head}, before ${after}` };
    }
    this.#hello = hello;
    this.#queue.put(hello, bytes);
    return undefined;
  }

  #acceptNews(frame: ControlFrame, bytes: number): undefined {
    if (frame.type === "live") {
      this.#hasProgress = true;
      this.#putGaps(this.#sequence.endReplay(frame.head));
    }
    if (frame.type === "ignored") this.#counters.ignored += 1;
    else if (frame.type === "gap") this.#putGaps(this.#sequence.announce(frame));
    else this.#queue.put(frame, bytes);
  }

  /** Ends the connection if events are missing in the sequence. If they stay missing, skips them. */
  #judgeHole(
    frame: EventFrame | RejectedFrame,
    seq: number,
    bytes: number,
  ): StreamFault | undefined {
    const reason = `events are missing before ${seq}`;
    if (this.#countBreak("hole") <= maxFailures) return { code: "order", reason };
    if (seq > (this.#hello?.head ?? 0)) return this.accept(withoutPosition(frame), bytes);
    this.#putGaps(this.#sequence.skipTo(seq - 1, "hole"));
    return this.accept(frame, bytes);
  }

  readonly #putGap = (gap: StreamGap): void => {
    this.#counters.gaps += 1;
    this.#queue.put(gap, 0);
  };

  #putGaps(gaps: readonly StreamGap[]): void {
    for (const gap of gaps) this.#putGap(gap);
  }

  /** @returns the number of consecutive failures for this reason at this position */
  #countBreak(reason: string): number {
    const { epoch, seq } = this.#sequence.position ?? { epoch: "", seq: -1 };
    const at = `${reason} ${epoch} ${seq}`;
    this.#breaks = { at, count: this.#breaks.at === at ? this.#breaks.count + 1 : 1 };
    return this.#breaks.count;
  }
}

/** Returns a frame whose position is invalid as a rejected frame, so that the frame does not move the cursor. */
const withoutPosition = (frame: EventFrame | RejectedFrame): RejectedFrame => ({
  ...(frame.type === "event" ? toRejectedFrame(frame, "cursor") : frame),
  cursor: null,
});
