import { setImmediate as nextTurn } from "node:timers/promises";

import type { Rung } from "../../shared/platform/access/roles.ts";
import type { StreamMessageName } from "../../shared/platform/notify/channels.ts";
import { encodeBlock, heartbeatBlock } from "./sse.ts";
import { listMessagesWithoutId, type StreamAccessLevel, type StreamName } from "./streams.ts";
import type { Subscriber } from "./subscriber.ts";

/** The encoded bytes of one event. */
export interface EventFrame {
  readonly id: number;
  readonly bytes: Buffer;
}

/** The subscribers of one access level of one stream, without those that are still catching up. */
export class Audience implements StreamAccessLevel {
  readonly stream: StreamName;
  readonly rung: Rung;
  readonly members = new Set<Subscriber>();
  /** The id of the last event that its members received. */
  #lastId = 0;
  #sending: Promise<void> = Promise.resolve();

  constructor(stream: StreamName, rung: Rung) {
    this.stream = stream;
    this.rung = rung;
  }

  carries(notice: StreamMessageName): boolean {
    return listMessagesWithoutId(this.stream).includes(notice);
  }

  /** Sends the frames of visible events in one write per connection. @returns their number, summed over members */
  async sendFrames(frames: readonly EventFrame[]): Promise<number> {
    const receivers = this.members.size;
    this.#lastId = frames.at(-1)?.id ?? this.#lastId;
    const [first] = frames;
    if (first) {
      const bytes = frames.map((frame) => frame.bytes);
      await this.send(frames.length === 1 ? first.bytes : Buffer.concat(bytes));
    }
    return frames.length * receivers;
  }

  /** Keeps connections open, and raises clients' last event id past events that this level does not see. */
  beat(position: number): void {
    const hasMoved = position > this.#lastId;
    this.#lastId = position;
    void this.send(
      hasMoved ? Buffer.concat([heartbeatBlock, encodeBlock({ id: position })]) : heartbeatBlock,
    );
  }

  /**
   * Sends to the current members, after all earlier sends. Subscribers that join later have read these events
   * already.
   */
  send(bytes: Buffer): Promise<void> {
    const receivers = [...this.members];
    this.#sending = this.#sending.then(() => spread(bytes, receivers));
    return this.#sending;
  }
}

/** After writing to this many connections, which takes about 7 ms, let other work of the event loop run. */
const sliceSize = 1_000;

async function spread(bytes: Buffer, receivers: readonly Subscriber[]): Promise<void> {
  for (let from = 0; from < receivers.length; from += sliceSize) {
    if (from > 0) await nextTurn();
    for (const receiver of receivers.slice(from, from + sliceSize)) receiver.send(bytes);
  }
}
