import type { FrameQueue } from "./frame-queue.ts";
import { rejectEvent } from "./frame.ts";
import type {
  Cursor,
  EventFrame,
  Frame,
  GapFrame,
  HelloFrame,
  LiveFrame,
  PlacedGap,
  PluginFrame,
  RejectedFrame,
  StreamFrame,
} from "./frames.ts";
import { protocolMismatch } from "./refusals.ts";
import { Sequence } from "./sequence.ts";

/** What breaks a connection: the wrong protocol, a buffer that ends before our place, bad order. */
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

const notHello: StreamFault = { code: "order", reason: "the first frame is not a hello" };

/** After so many breaks at one place the stream goes on behind it. */
const maxStrikes = 2;

/** Checks the order of one sidecar's frames over all connections and queues them. */
export class Intake {
  readonly #queue: FrameQueue<StreamFrame>;
  readonly #sequence = new Sequence();
  readonly #counters = { received: 0, duplicates: 0, rejected: 0, gaps: 0, ignored: 0 };
  #hello: HelloFrame | null = null;
  #protocol = 0;
  #hasProgress = false;
  #strikes = { place: "", count: 0 };

  constructor(queue: FrameQueue<StreamFrame>) {
    this.#queue = queue;
  }

  /** The hello of the connection that stands. */
  get hello(): HelloFrame | null {
    return this.#hello;
  }

  get position(): Cursor | null {
    return this.#sequence.position;
  }

  get counters(): IntakeCounters {
    return { ...this.#counters };
  }

  /** Whether the connection brought anything, or nothing was left to bring. */
  get hasProgress(): boolean {
    return this.#hasProgress;
  }

  /** Begins after `cursor`; null is the beginning of the sidecar's buffer. */
  resume(cursor: Cursor | null): void {
    this.#sequence.resume(cursor);
  }

  /** A connection of this protocol is about to be opened. */
  open(protocol: number): void {
    this.#protocol = protocol;
    this.#hello = null;
    this.#hasProgress = false;
  }

  /** A frame too large to take ended the connection; met again, it is passed over as a gap. */
  spoil(reason: string): void {
    if (!this.#hello || this.#strike(reason) < maxStrikes) return;
    this.#putGaps(this.#sequence.skipNext(reason));
  }

  /** Takes one frame of `bytes` bytes. @returns why the connection cannot go on, if it cannot */
  accept(frame: Frame, bytes: number): StreamFault | undefined {
    if (frame.type === "hello") return this.#acceptHello(frame, bytes);
    if (!this.#hello) return this.#acceptEarly(frame, bytes);
    switch (frame.type) {
      case "event":
        return this.#acceptEvent(frame, bytes);
      case "rejected":
        return this.#acceptRejected(frame, bytes);
      case "gap":
        return this.#acceptGap(frame);
      case "ignored":
        this.#counters.ignored += 1;
        return undefined;
      default:
        return this.#acceptNews(frame, bytes);
    }
  }

  /** What cannot be read is kept for the operator, and its sidecar may still say hello. */
  #acceptEarly(frame: Frame, bytes: number): StreamFault | undefined {
    if (frame.type !== "rejected") return notHello;
    // No progress: a sidecar that never says hello is asked less and less often.
    this.#handOn({ ...frame, cursor: null }, bytes);
    return undefined;
  }

  #acceptHello(hello: HelloFrame, bytes: number): StreamFault | undefined {
    if (hello.protocol !== this.#protocol) {
      return { code: "protocol", reason: protocolMismatch(hello.protocol, this.#protocol) };
    }
    const after = this.#sequence.position?.seq;
    if (!this.#sequence.begin(hello)) {
      return { code: "behind", reason: `the buffer ends at ${hello.head}, before ${after}` };
    }
    this.#hello = hello;
    this.#queue.put(hello, bytes);
    return undefined;
  }

  #acceptEvent(event: EventFrame, bytes: number): StreamFault | undefined {
    const isOurs = event.epoch === this.#hello?.epoch;
    return isOurs ? this.#place(event, event.seq, bytes) : this.#putMisplaced(event, bytes);
  }

  #acceptRejected(frame: RejectedFrame, bytes: number): StreamFault | undefined {
    const { cursor } = frame;
    const isOurs = cursor !== null && cursor.epoch === this.#hello?.epoch;
    return isOurs ? this.#place(frame, cursor.seq, bytes) : this.#putMisplaced(frame, bytes);
  }

  #acceptGap(gap: GapFrame): undefined {
    this.#putGaps(this.#sequence.announce(gap));
  }

  #acceptNews(frame: LiveFrame | PluginFrame, bytes: number): undefined {
    if (frame.type === "live") {
      this.#hasProgress = true;
      this.#putGaps(this.#sequence.live(frame.head));
    }
    this.#queue.put(frame, bytes);
  }

  #place(frame: EventFrame | RejectedFrame, seq: number, bytes: number): StreamFault | undefined {
    const placement = this.#sequence.place(seq, this.#putGap);
    if (placement === "hole") return this.#judgeHole(frame, seq, bytes);
    if (placement === "duplicate") this.#counters.duplicates += 1;
    else this.#put(frame, bytes);
    return undefined;
  }

  /** Asks the sidecar again; if it insists, believes it as far as its buffer is known to reach. */
  #judgeHole(
    frame: EventFrame | RejectedFrame,
    seq: number,
    bytes: number,
  ): StreamFault | undefined {
    const reason = `a hole before ${seq}`;
    if (this.#strike("hole") <= maxStrikes) return { code: "order", reason };
    if (seq > (this.#hello?.head ?? 0)) return this.#putMisplaced(frame, bytes);
    this.#putGaps(this.#sequence.skipTo(seq - 1, "hole"));
    return this.#place(frame, seq, bytes);
  }

  #put(frame: EventFrame | RejectedFrame, bytes: number): void {
    this.#hasProgress = true;
    this.#handOn(frame, bytes);
  }

  #handOn(frame: EventFrame | RejectedFrame, bytes: number): void {
    this.#counters.received += 1;
    if (frame.type === "rejected") this.#counters.rejected += 1;
    this.#queue.put(frame, bytes);
  }

  /** Hands on, as rejected, what has no place in this buffer and must not move the cursor. */
  #putMisplaced(frame: EventFrame | RejectedFrame, bytes: number): undefined {
    const rejected = frame.type === "event" ? rejectEvent(frame, "cursor") : frame;
    this.#put({ ...rejected, cursor: null }, bytes);
  }

  readonly #putGap = (gap: PlacedGap): void => {
    this.#counters.gaps += 1;
    this.#queue.put(gap, 0);
  };

  #putGaps(gaps: readonly PlacedGap[]): void {
    for (const gap of gaps) this.#putGap(gap);
  }

  /** @returns how often in a row the connection broke for this reason at this place */
  #strike(reason: string): number {
    const { epoch, seq } = this.#sequence.position ?? { epoch: "", seq: -1 };
    const place = `${reason} ${epoch} ${seq}`;
    this.#strikes = { place, count: this.#strikes.place === place ? this.#strikes.count + 1 : 1 };
    return this.#strikes.count;
  }
}

/** The place after the last of these frames that has one: what a consumer stores with them. */
export function cursorAfter(frames: readonly StreamFrame[]): Cursor | null {
  const last = frames.findLast((frame) => placeOf(frame) !== null);
  return last ? placeOf(last) : null;
}

function placeOf(frame: StreamFrame): Cursor | null {
  if (frame.type === "event") return { epoch: frame.epoch, seq: frame.seq };
  if (frame.type === "gap") return { epoch: frame.epoch, seq: frame.to };
  return frame.type === "rejected" ? frame.cursor : null;
}
