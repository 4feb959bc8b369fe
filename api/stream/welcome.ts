import type { Rung } from "../../shared/platform/access/roles.ts";
import { type History, type Missed, replaySince, type ResetReason, seenBetween } from "./resume.ts";
import { encodeBlock } from "./sse.ts";
import { between, type Subscriber } from "./subscriber.ts";

/** Frames of a replay that are written at once. */
const framesAWrite = 50;

/**
 * Greets a client, sends what it missed and makes it a member of its audience. While it catches up it
 * is sent events from the store alone, so nothing is queued for it and nothing comes twice.
 * @returns how many missed events it was sent
 */
export async function welcome(
  subscriber: Subscriber,
  lastEventId: string | undefined,
  history: History,
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

/**
 * Sends what came while the client was reading, until there is nothing left to wait for, and moves
 * its last event id past what it does not see.
 */
async function catchUp(subscriber: Subscriber, missed: Missed, history: History): Promise<number> {
  let sent = 0;
  let { seenId, untilId: position } = missed;
  while (subscriber.isOpen && position < history.recent.position) {
    const untilId = history.recent.position;
    const seen = seenBetween(position, untilId, subscriber.audience, history);
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

/** Waits differ from client to client; the comment makes proxies pass on the headers. */
const encodeGreeting = (): Buffer => Buffer.from(`retry: ${between(3_000, 5_000)}\n: welcome\n\n`);

/** With an id of its own, so that a client cut off before its first event resumes from here. */
const encodeHello = (level: Rung, lastEventId: number): Buffer =>
  encodeBlock({ id: lastEventId, event: "hello", data: { level, lastEventId } });

export const encodeReset = (reason: ResetReason): Buffer =>
  encodeBlock({ event: "reset", data: { reason } });
