import type { Rung } from "../../shared/platform/access/roles.ts";
import type { EventLogEntry } from "./log-source.ts";
import {
  type ReplaySources,
  type MissedEvents,
  replaySince,
  type ResetReason,
  readVisibleFrames,
} from "./resume.ts";
import { encodeBlock } from "./sse.ts";
import { randomDelayMs, type Subscriber } from "./subscriber.ts";

/** The number of replayed events in one write. */
const framesAWrite = 50;

/**
 * Sends a greeting and the missed events to a client, then adds the client to its audience. Until then the client
 * gets events only from memory and the database, so nothing is queued for it and no event is sent twice.
 * @returns the number of replayed events
 */
export async function startSubscriber<Event extends EventLogEntry>(
  subscriber: Subscriber,
  lastEventId: string | undefined,
  history: ReplaySources<Event>,
): Promise<number> {
  const { audience } = subscriber;
  subscriber.send(encodeGreeting());
  const replay = lastEventId ? await replaySince(lastEventId, audience, history) : undefined;
  if (!replay || "reset" in replay) {
    subscriber.send(encodeHello(audience.rung, history.recent.position));
    if (replay) subscriber.send(encodeReset(replay.reset));
    join(subscriber);
    return 0;
  }
  const { lastId, frames } = replay;
  subscriber.send(encodeHello(audience.rung, lastId));
  for (let from = 0; from < frames.length; from += framesAWrite) {
    await subscriber.deliver(Buffer.concat(frames.slice(from, from + framesAWrite)));
  }
  return frames.length + (await catchUp(subscriber, replay, history));
}

/** Sends events that arrived during the replay, and moves the client's last event id past hidden ones. */
async function catchUp<Event extends EventLogEntry>(
  subscriber: Subscriber,
  missed: MissedEvents,
  history: ReplaySources<Event>,
): Promise<number> {
  let sent = 0;
  let { seenId, untilId: position } = missed;
  while (subscriber.isOpen && position < history.recent.position) {
    const untilId = history.recent.position;
    const seen = readVisibleFrames(position, untilId, subscriber.audience, history);
    for await (const { event, frame } of seen) {
      await subscriber.deliver(frame);
      seenId = event.id;
      sent += 1;
    }
    position = untilId;
  }
  if (position > seenId) subscriber.send(encodeBlock({ id: position }));
  join(subscriber);
  return sent;
}

function join(subscriber: Subscriber): void {
  if (subscriber.isOpen) subscriber.audience.members.add(subscriber);
}

/** Encodes the greeting: a random delay for reconnecting, and a comment that makes proxies forward the headers. */
const encodeGreeting = (): Buffer =>
  Buffer.from(`retry: ${randomDelayMs(3_000, 5_000)}\n: welcome\n\n`);

/** The hello block has an id, so that a client disconnected before its first event resumes from here. */
const encodeHello = (level: Rung, lastEventId: number): Buffer =>
  encodeBlock({ id: lastEventId, event: "hello", data: { level, lastEventId } });

export const encodeReset = (reason: ResetReason): Buffer =>
  encodeBlock({ event: "reset", data: { reason } });
