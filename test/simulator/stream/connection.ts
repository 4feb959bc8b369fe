import type { WebSocket } from "ws";

import type { EventBuffer } from "./buffer.ts";
import type { BufferedEvent, Gap } from "./event.ts";
import { spoil } from "./forms.ts";
import type { Dialect } from "./forms.ts";

/** Where a client wants to go on; both null on its first connection. */
export interface Resume {
  readonly epoch: string | null;
  readonly after: number | null;
}

/** Above this the sending waits for the client, which is how its pressure reaches the sidecar. */
const highWaterBytes = 1024 * 1024;

/** What a connection is opened with. */
export interface Opening extends Resume {
  /** So many events from before the point to go on from are sent again. */
  readonly overlap: number;
  /** In whose words frames are spoiled. */
  readonly dialect: Dialect;
  /** Called once, when the replay is over and `live` was said. */
  readonly onLive: () => void;
}

interface Notice {
  /** Said once every event up to this seq has been sent. */
  readonly after: number;
  readonly frame: object;
}

/** One client on the stream: hello, gaps, replayed events, live, events, in this order. */
export class Connection {
  readonly socket: WebSocket;
  readonly #buffer: EventBuffer;
  readonly #replayTo: number;
  readonly #gaps: readonly Gap[];
  readonly #opening: Opening;
  readonly #notices: Notice[] = [];
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

  /** Sends `hello`, which is the first frame of every connection, and all that follows from it. */
  begin(hello: object): void {
    this.#send(JSON.stringify(hello));
    for (const gap of this.#gaps) this.#send(JSON.stringify({ type: "gap", ...gap }));
    this.wake();
  }

  /** Says something that is no event, in its place among the events. */
  notice(frame: object): void {
    this.#notices.push({ after: this.#buffer.head, frame });
    this.wake();
  }

  /** Sends the newest events that were already sent once more. */
  repeat(count: number): void {
    const first = Math.max(this.#buffer.oldest, this.#next - count);
    for (let seq = first; seq < this.#next; seq++) {
      const event = this.#buffer.at(seq);
      if (event?.lost === false) this.#send(this.#frameOf(event));
    }
  }

  /** Leaves the next `count` events out, without a word. */
  skip(count: number): void {
    this.#holes += count;
  }

  sendRaw(frame: string | Buffer): void {
    this.#send(frame);
  }

  /** Falls silent, pongs included; what happens meanwhile is told afterwards. */
  mute(muted: boolean): void {
    this.#muted = muted;
    this.wake();
  }

  /** Sends what there is to send, as far as the client takes it. */
  wake(): void {
    if (this.#waiting || this.#muted) return;
    while (this.socket.readyState === this.socket.OPEN && this.#step()) {
      if (this.socket.bufferedAmount <= highWaterBytes) continue;
      this.#waiting = true;
      return;
    }
  }

  /** False when there is nothing more to say for now. */
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

  /** Gaps of the replay stand before it; a later one is told where it lies. */
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
    // JSON leaves out a saveId that is undefined: a shard's events have none.
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
