import { setImmediate as nextTurn } from "node:timers/promises";

import type { Rung } from "../../shared/platform/access/roles.ts";
import type { StreamMessageName } from "../../shared/platform/notify/channels.ts";
import type { StreamEvent } from "../../shared/shard/streams/stored-events.ts";
import type { Visibility } from "../../shared/shard/visibility/visibility.ts";
import { encodeFrame } from "./frames.ts";
import { encodeBlock, heartbeatBlock } from "./sse.ts";
import { type StreamRung, type StreamName, streams } from "./streams.ts";
import type { Subscriber } from "./subscriber.ts";

/** The subscribers of one access level of one stream that have received all events so far. */
export class Audience implements StreamRung {
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
    return streams[this.stream].notices.some((name) => name === notice);
  }

  /** Sends the visible events in one write per connection. @returns the number of events, summed over members */
  async sendEvents(events: readonly StreamEvent[], visibility: Visibility): Promise<number> {
    const frames: Buffer[] = [];
    for (const event of events) {
      const frame = encodeFrame(event, this, visibility);
      if (!frame) continue;
      frames.push(frame);
      this.#lastId = event.id;
    }
    const receivers = this.members.size;
    const [first] = frames;
    if (first) await this.send(frames.length === 1 ? first : Buffer.concat(frames));
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

  /** Sends to the current members, after everything sent before. Later members have read these events already. */
  send(bytes: Buffer): Promise<void> {
    const receivers = [...this.members];
    this.#sending = this.#sending.then(() => spread(bytes, receivers));
    return this.#sending;
  }
}

export const createAudiences = (): readonly Audience[] =>
  (Object.keys(streams) as StreamName[]).flatMap((stream) =>
    streams[stream].rungs.map((rung) => new Audience(stream, rung)),
  );

/** The number of connections to write to before other work of the event loop runs. It takes about 7 ms. */
const sliceSize = 1_000;

async function spread(bytes: Buffer, receivers: readonly Subscriber[]): Promise<void> {
  for (let from = 0; from < receivers.length; from += sliceSize) {
    if (from > 0) await nextTurn();
    for (const receiver of receivers.slice(from, from + sliceSize)) receiver.send(bytes);
  }
}
