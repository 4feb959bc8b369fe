import { randomUUID } from "node:crypto";

import {
  type Cursor,
  type EventFrame,
  cursorOfFrame,
  type StreamFrame,
} from "../../platform/bridge/frames.ts";
import { socketBounds } from "../../platform/bridge/socket/socket-options.ts";
import { GameTracker } from "./game-tracker.ts";
import { PlayerTracker } from "./player-tracker.ts";

/** An event before it gets an epoch and a `seq`. */
export type NewEvent = Pick<EventFrame, "kind" | "payload" | "eventKey" | "t" | "bootId"> & {
  readonly saveId: number | null;
};

interface BufferedFrame {
  readonly frame: StreamFrame;
  readonly bytes: number;
}

/**
 * Keeps frames until they are stored, because a console sends nothing twice. If the buffer is full, drops
 * further events and reports them as a gap.
 */
export class FrameBuffer {
  readonly #maxFrames: number;
  readonly #maxBytes: number;
  #frames: BufferedFrame[] = [];
  #bytes = 0;
  #taken = 0;
  #epoch = randomUUID();
  #seq = 0;
  #lost: { from: number; to: number } | null = null;
  #arrival = Promise.withResolvers<void>();
  #isClosed = false;
  readonly #counters = { received: 0, duplicates: 0, rejected: 0, gaps: 0, ignored: 0 };
  #lastAckAt: Date | null = null;

  constructor(bounds: Partial<typeof socketBounds> = {}) {
    const { waitingFrames, waitingBytes } = { ...socketBounds, ...bounds };
    this.#maxFrames = waitingFrames;
    this.#maxBytes = waitingBytes;
  }

  get stats() {
    const waiting = this.#frames.length - this.#taken;
    return { ...this.#counters, waiting, lastAckAt: this.#lastAckAt };
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** The last `seq` of the epoch; 0 if it has none. */
  get head(): number {
    return this.#seq;
  }

  /** Begins the epoch of a new connection. @param hasGap true if earlier events may be missing */
  beginEpoch(hasGap: boolean): void {
    this.#lost = null;
    this.#epoch = randomUUID();
    // The gap takes position 1. Storing the gap moves the stored cursor to the new epoch.
    this.#seq = hasGap ? 1 : 0;
    // Drop waiting frames, because the hellos of a console that reconnects again and again would fill the memory.
    if (this.#isFull) this.#dropWaiting();
  }

  putGap(from: number, to: number, reason: string): void {
    this.#counters.gaps += 1;
    this.put({ type: "gap", epoch: this.#epoch, from, to, reason });
  }

  put(frame: StreamFrame, bytes = 256): void {
    this.#frames.push({ frame, bytes });
    this.#bytes += bytes;
    this.#arrival.resolve();
  }

  putEvent({ saveId, ...event }: NewEvent): void {
    this.#seq += 1;
    this.#counters.received += 1;
    if (this.#isFull) {
      this.#lost = { from: this.#lost?.from ?? this.#seq, to: this.#seq };
      return;
    }
    this.#tellLost();
    const frame: EventFrame = {
      type: "event",
      epoch: this.#epoch,
      seq: this.#seq,
      replay: false,
      ...event,
      ...(saveId !== null && { saveId }),
    };
    this.put(frame, JSON.stringify(event.payload).length + 256);
  }

  /** Waits for a frame, then takes up to `max` frames. @throws the signal's reason; an Error after `close` */
  async take(max: number, signal?: AbortSignal): Promise<StreamFrame[]> {
    signal?.throwIfAborted();
    while (this.#frames.length === this.#taken && !this.#isClosed) await this.#wait(signal);
    if (this.#isClosed) throw new Error("the console's feed was stopped");
    const taken = this.#frames.slice(this.#taken, this.#taken + max);
    this.#taken += taken.length;
    return taken.map(({ frame }) => frame);
  }

  /** Removes the frames that were taken, because they are stored now. */
  commit(): void {
    this.#lastAckAt = new Date();
    this.#forget(this.#taken);
    if (this.#frames.length <= this.#maxFrames / 2) this.#tellLost();
  }

  /** Makes the taken frames after the stored cursor available again. */
  rewind(cursor: Cursor | null): void {
    const last = cursor
      ? this.#frames.findLastIndex(({ frame }) => {
          const position = cursorOfFrame(frame);
          return position?.epoch === cursor.epoch && position.seq <= cursor.seq;
        })
      : -1;
    this.#forget(Math.min(last + 1, this.#taken));
    this.#taken = 0;
    if (this.#frames.length > 0) this.#arrival.resolve();
  }

  close(): void {
    this.#isClosed = true;
    this.#arrival.resolve();
  }

  get #isFull(): boolean {
    return this.#frames.length >= this.#maxFrames || this.#bytes >= this.#maxBytes;
  }

  /** Drops the frames that were not taken. The gap of the new epoch reports their events as lost. */
  #dropWaiting(): void {
    for (const { bytes } of this.#frames.splice(this.#taken)) this.#bytes -= bytes;
  }

  #forget(count: number): void {
    for (const { bytes } of this.#frames.splice(0, count)) this.#bytes -= bytes;
    this.#taken = Math.max(0, this.#taken - count);
  }

  #tellLost(): void {
    const lost = this.#lost;
    this.#lost = null;
    if (lost) this.putGap(lost.from, lost.to, "too many events");
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    this.#arrival = Promise.withResolvers();
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await Promise.race([this.#arrival.promise, aborted.promise]);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }
}

/** The state that a feed keeps when it reconnects. */
export class ConsoleState {
  readonly buffer: FrameBuffer;
  readonly game = new GameTracker();
  readonly players = new PlayerTracker();
  #hasEpoch = false;

  constructor(buffer: FrameBuffer) {
    this.buffer = buffer;
  }

  putEvent(event: Pick<NewEvent, "kind" | "payload" | "eventKey" | "t">): void {
    const saveId = this.game.world?.saveId ?? null;
    this.buffer.putEvent({ ...event, bootId: this.game.bootId, saveId });
  }

  putState(kind: string, payload: NewEvent["payload"], at: number): void {
    this.putEvent({ kind, payload, eventKey: null, t: at });
  }

  /**
   * Begins the stream of a connection. It starts with a gap for the time without a connection, unless
   * nothing was ever stored.
   */
  beginStream(bootId: string | null, capabilities: readonly string[], hasCursor: boolean): void {
    const { buffer } = this;
    const hasGap = hasCursor || this.#hasEpoch;
    this.#hasEpoch = true;
    buffer.beginEpoch(hasGap);
    const hello = {
      type: "hello",
      protocol: 13,
      epoch: buffer.epoch,
      bootId,
      head: buffer.head,
      oldest: buffer.head + 1,
      pluginConnected: true,
      capabilities,
      t: Date.now(),
    } as const;
    buffer.put({ ...hello, details: { ...hello } });
    if (hasGap) buffer.putGap(1, 1, "not heard");
    buffer.put({ type: "live", head: buffer.head });
  }
}
