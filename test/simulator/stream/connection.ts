import type { WebSocket } from "ws";

import type { EventBuffer } from "./buffer.ts";
import type { BufferedEvent, Gap } from "./event.ts";
import { buildMalformedFrame } from "./forms.ts";
import type { MalformedSamples } from "./forms.ts";

/** The cursor of a client. Both fields are null on its first connection. */
export interface ResumeCursor {
  readonly epoch: string | null;
  readonly after: number | null;
}

/**
 * The number of unsent bytes above which sending waits for the client, so that backpressure of the
 * client reaches the sidecar.
 */
const highWaterBytes = 1024 * 1024;

/** The parameters with which the sidecar opens a client's connection, with the client's cursor. */
export interface Opening extends ResumeCursor {
  /** The number of events before the cursor that are sent again. */
  readonly overlap: number;
  /** The kinds and payloads with which malformed frames are built. */
  readonly dialect: MalformedSamples;
  /** Called once, after the replay and the frame `live`. */
  readonly onLive: () => void;
}

interface DelayedFrame {
  /** The frame is sent after the events up to this seq. */
  readonly after: number;
  readonly frame: object;
}

/**
 * The connection of one client. It sends hello, the gaps, the replayed events, `live` and then new
 * events.
 */
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

  /** Sends `hello`, the first frame of a connection, and begins the replay. */
  begin(hello: object): void {
    this.#send(JSON.stringify(hello));
    for (const gap of this.#gaps) this.#send(JSON.stringify({ type: "gap", ...gap }));
    this.wake();
  }

  /** Queues a frame that is no event. It is sent after the events that are in the buffer now. */
  notice(frame: object): void {
    this.#notices.push({ after: this.#buffer.head, frame });
    this.wake();
  }

  /** Sends the newest of the sent events again. */
  repeat(count: number): void {
    const first = Math.max(this.#buffer.oldest, this.#next - count);
    for (let seq = first; seq < this.#next; seq++) {
      const event = this.#buffer.at(seq);
      if (event?.lost === false) this.#send(this.#frameOf(event));
    }
  }

  /** Leaves out the next `count` events, without a gap. */
  skip(count: number): void {
    this.#holes += count;
  }

  sendRaw(frame: string | Buffer): void {
    this.#send(frame);
  }

  /** Stops sending, even pongs. When `muted` is false again, everything is sent. */
  mute(muted: boolean): void {
    this.#muted = muted;
    this.wake();
  }

  /** Sends as much as the client accepts now. */
  wake(): void {
    if (this.#waiting || this.#muted) return;
    while (this.socket.readyState === this.socket.OPEN && this.#step()) {
      if (this.socket.bufferedAmount <= highWaterBytes) continue;
      this.#waiting = true;
      return;
    }
  }

  /** Sends the next frame. @returns false if there is none */
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

  /**
   * Sends a gap, unless the gap was announced before the replay. Gaps after the replay are sent in order with the
   * events.
   */
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
    // Events of a shard have no saveId. JSON leaves out a field that is undefined.
    const frame = { type: "event", seq, epoch, bootId, saveId, eventKey, kind, t, replay, payload };
    return form === null
      ? JSON.stringify(frame)
      : buildMalformedFrame(form, frame, this.#opening.dialect);
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
