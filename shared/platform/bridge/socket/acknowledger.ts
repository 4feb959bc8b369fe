import type { Cursor } from "../frames.ts";

/** Sends the highest committed position to the sidecar when it has changed, at most once per interval. */
export class Acknowledger {
  readonly #everyMs: number;
  #epoch: string | null = null;
  #send: ((text: string) => void) | null = null;
  #committed: Cursor | null = null;
  #acknowledged: Cursor | null = null;
  #sentAtMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #lastAckAt: Date | null = null;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  get lastAckAt(): Date | null {
    return this.#lastAckAt;
  }

  /** Begins to acknowledge on a new connection. @param epoch of the sidecar's buffer */
  open(epoch: string, send: (text: string) => void): void {
    this.#epoch = epoch;
    this.#send = send;
    this.#schedule();
  }

  close(): void {
    this.#send = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Resets the positions, because the sidecar's buffer is read again from its beginning. */
  reset(): void {
    this.#committed = null;
    this.#acknowledged = null;
  }

  commit(cursor: Cursor): void {
    if (isBehind(cursor, this.#committed)) return;
    this.#committed = cursor;
    this.#schedule();
  }

  /** Acknowledges the committed position at once, before a connection ends. */
  flush(): void {
    const cursor = this.#committed;
    if (!this.#send || !cursor || cursor.epoch !== this.#epoch) return;
    if (isBehind(cursor, this.#acknowledged)) return;
    this.#send(JSON.stringify({ type: "ack", epoch: cursor.epoch, seq: cursor.seq }));
    this.#acknowledged = cursor;
    this.#sentAtMs = performance.now();
    this.#lastAckAt = new Date();
  }

  #schedule(): void {
    if (!this.#send || this.#timer) return;
    const waitMs = this.#sentAtMs + this.#everyMs - performance.now();
    if (waitMs <= 0) return this.flush();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.flush();
    }, Math.ceil(waitMs));
    this.#timer.unref();
  }
}

const isBehind = (cursor: Cursor, reached: Cursor | null): boolean =>
  reached !== null && reached.epoch === cursor.epoch && cursor.seq <= reached.seq;
