import type { WebSocket } from "ws";

import type { EventBuffer } from "./buffer.ts";
import type { BufferedEvent, Gap } from "./event.ts";
import { spoil } from "./forms.ts";
import type { MalformedSamples } from "./forms.ts";

/** A client's cursor; both are null on its first connection. */
export interface Resume {
  readonly epoch: string | null;
  readonly after: number | null;
}

/** Above this, sending waits for the client: its backpressure reaches the sidecar. */
const highWaterBytes = 1024 * 1024;

/** The parameters of a connection. */
export interface Opening extends Resume {
  /** The number of events before the cursor to send again. */
  readonly overlap: number;
  /** The kinds and payloads for malformed frames. */
  readonly dialect: MalformedSamples;
  /** Called once, after the replay and `live`. */
  readonly onLive: () => void;
}

interface DelayedFrame {
  /** Sent after all events up to this seq. */
  readonly after: number;
  readonly frame: object;
}

/** One client on the stream. It gets hello, gaps, replayed events, live and events, in this order. */
export class Connection {
  readonly socket: WebSocket;
  readonly #buffer: EventBuffer;
  readonly #replayTo: number;
  readonly #gaps: readonly Gap[];
  readonly #opening: Opening;
  readonly #notices: DelayedFrame[] = [];
  #next: number;
  #live = false;
  #waiting = false;
  #muted = false;
  #holes = 0;

  constructor(socket: WebSocket, buffer: EventBuffer, opening: Opening) {
    this.socket = socket;
    this.#buffer = buffer;
    this.#opening = opening;
    this.#replayTo = buffer.head;
    const known = opening.epoch === buffer.epoch && opening.after !== null;
    const after = known ? Math.min(opening.after, buffer.head) : buffer.oldest - 1;
    this.#next = Math.max(buffer.oldest, after + 1 - opening.overlap);
    this.#gaps = buffer.gapsAfter(after);
  }

  get muted(): boolean {
    return this.#muted;
  }

  /** Sends `hello`, the first frame of every connection, and starts the replay. */
  begin(hello: object): void {
    this.#send(JSON.stringify(hello));
    for (const gap of this.#gaps) this.#send(JSON.stringify({ type: "gap", ...gap }));
    this.wake();
  }

  /** Queues a frame that is not an event at its place among the events. */
  notice(frame: object): void {
    this.#notices.push({ after: this.#buffer.head, frame });
    this.wake();
  }

  /** Sends the newest sent events again. */
  repeat(count: number): void {
    const first = Math.max(this.#buffer.oldest, this.#next - count);
    for (let seq = first; seq < this.#next; seq++) {
      const event = this.#buffer.at(seq);
      if (event?.lost === false) this.#send(this.#frameOf(event));
    }
  }

  /** Skips the next `count` events silently. */
  skip(count: number): void {
    this.#holes += count;
  }

  sendRaw(frame: string | Buffer): void {
    this.#send(frame);
  }

  /** Stops sending, including pongs; events are sent afterwards. */
  mute(muted: boolean): void {
    this.#muted = muted;
    this.wake();
  }

  /** Sends as much as the client accepts. */
  wake(): void {
    if (this.#waiting || this.#muted) return;
    while (this.socket.readyState === this.socket.OPEN && this.#step()) {
      if (this.socket.bufferedAmount <= highWaterBytes) continue;
      this.#waiting = true;
      return;
    }
  }

  /** Returns false if there is nothing to send. */
  #step(): boolean {
    if (!this.#live && this.#next > this.#replayTo) {
      this.#live = true;
      this.#send(JSON.stringify({ type: "live", head: this.#replayTo }));
      this.#opening.onLive();
      return true;
    }
    const notice = this.#notices[0];
    if (!this.#live || !notice || notice.after >= this.#next) return this.#tellNext();
    this.#notices.shift();
    this.#send(JSON.stringify(notice.frame));
    return true;
  }

  #tellNext(): boolean {
    if (this.#next > this.#buffer.head) return false;
    const event = this.#buffer.at(this.#next);
    if (event === undefined) return this.#announce(this.#buffer.oldest - 1, "dropped");
    const loss = this.#buffer.lossAt(this.#next);
    if (loss !== undefined) return this.#announce(loss.to, loss.reason);
    this.#next++;
    if (this.#live && this.#holes > 0) this.#holes--;
    else this.#send(this.#frameOf(event));
    return true;
  }

  /** Gaps of the replay are sent before it; later ones at their place. */
  #announce(to: number, reason: string): true {
    const from = this.#live ? this.#next : Math.max(this.#next, this.#replayTo + 1);
    this.#next = to + 1;
    if (from <= to) this.#send(JSON.stringify({ type: "gap", from, to, reason }));
    return true;
  }

  #frameOf({
    epoch,
    seq,
    bootId,
    saveId,
    eventKey,
    kind,
    t,
    payload,
    form,
  }: BufferedEvent): string {
    const replay = !this.#live;
    // JSON omits an undefined saveId, because events of a shard have none.
    const frame = { type: "event", seq, epoch, bootId, saveId, eventKey, kind, t, replay, payload };
    return form === null ? JSON.stringify(frame) : spoil(form, frame, this.#opening.dialect);
  }

  #send(frame: string | Buffer): void {
    this.socket.send(frame, () => this.#sent());
  }

  #sent(): void {
    if (!this.#waiting || this.socket.bufferedAmount > highWaterBytes / 2) return;
    this.#waiting = false;
    this.wake();
  }
}
