import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { RequestOrigin } from "../../api/origin/origin.ts";
import { Audience } from "../../api/stream/audience.ts";
import { RecentEvents } from "../../api/stream/recent-events.ts";
import { shardSource } from "../../api/stream/shard-source.ts";
import { Subscriber } from "../../api/stream/subscriber.ts";
import { startSubscriber } from "../../api/stream/welcome.ts";
import type { ShardContext } from "../../shared/shard/context.ts";
import type { StreamEvent } from "../../shared/shard/streams/stored-events.ts";
import { mergeVisibility } from "../../shared/shard/visibility/visibility.ts";

const hour = 3_600_000;
const config = { EVENT_RETENTION: hour, EVENT_RETENTION_LONG: hour, EVENT_RETENTION_CHATTY: hour };
const visibility = { current: mergeVisibility({}) };
const source = shardSource({ visibility, config } as ShardContext);

/** Sends events as the log of the shard does. */
function sendEvents(audience: Audience, events: readonly StreamEvent[]): Promise<number> {
  const frames = events.flatMap((each) => {
    const bytes = source.frameOf(each, audience);
    return bytes ? [{ id: each.id, bytes }] : [];
  });
  return audience.sendFrames(frames);
}

const storedAt = new Date().toISOString();

const event = (id: number, more: Partial<StreamEvent> = {}): StreamEvent => ({
  id,
  kind: "world.broadcast",
  t: 0,
  bootId: null,
  payload: '{"text":"hi"}',
  reach: "public",
  createdAt: new Date(storedAt),
  ...more,
});

const frame = (id: number) =>
  `id: ${id}\ndata: {"id":${id},"kind":"world.broadcast","t":0,"bootId":null,` +
  `"payload":{"text":"hi"},"createdAt":"${storedAt}"}\n\n`;

/** Adds a subscriber that records what it is sent. */
function memberOf(audience: Audience): { readonly sent: string[] } {
  const sent: string[] = [];
  const member = { send: (bytes: Buffer) => void sent.push(String(bytes)) };
  audience.members.add(member as unknown as Subscriber);
  return { sent };
}

const crowd = (audience: Audience, size: number) =>
  Array.from({ length: size }, () => memberOf(audience));

describe("the group of stream clients with one access level", () => {
  it("sends all members the same bytes in the order of the calls", async () => {
    const audience = new Audience("public", "anonymous");
    const members = crowd(audience, 2_500);
    const first = sendEvents(audience, [event(1), event(2)]);
    const second = sendEvents(audience, [event(3)]);
    await Promise.all([first, second]);
    const all = [frame(1) + frame(2), frame(3)];
    expect(members.every(({ sent }) => sent.join() === all.join())).toBe(true);
  });

  it("sends a late member no events from before it joined", async () => {
    const audience = new Audience("public", "anonymous");
    crowd(audience, 2_500);
    const first = sendEvents(audience, [event(1)]);
    const late = memberOf(audience);
    await Promise.all([first, sendEvents(audience, [event(2)])]);
    expect(late.sent).toEqual([frame(2)]);
  });

  it("advances the last event id by a heartbeat only past events that the members may not see", async () => {
    const audience = new Audience("public", "anonymous");
    const { sent } = memberOf(audience);
    await sendEvents(audience, [event(1), event(2, { reach: "staff" })]);
    audience.beat(2);
    audience.beat(2);
    await sendEvents(audience, [event(3)]);
    audience.beat(3);
    await audience.send(Buffer.from("end"));
    const beat = ": hb\n\n";
    expect(sent).toEqual([frame(1), `${beat}id: 2\n\n`, beat, frame(3), beat, "end"]);
  });
});

describe("a stream subscriber", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Creates a subscriber whose connection accepts data only when the test allows it. */
  function createSubscriber() {
    const taken: (() => void)[] = [];
    const socket = new Writable({
      highWaterMark: 1,
      write: (_bytes, _encoding, done) => void taken.push(done),
    });
    const subscriber = new Subscriber({
      response: { socket } as unknown as ServerResponse,
      audience: new Audience("public", "anonymous"),
      caller: null,
      origin: {} as RequestOrigin,
      endsAt: Infinity,
      onEnd: () => undefined,
    });
    return { subscriber, take: () => taken.shift()?.() };
  }

  it("counts as stalled while the client leaves bytes unread, however often the stall is measured", () => {
    const { subscriber, take } = createSubscriber();
    vi.advanceTimersByTime(30_000);
    expect(subscriber.measureStall()).toBe(0);
    subscriber.send(Buffer.from("one"));
    vi.advanceTimersByTime(10_000);
    subscriber.send(Buffer.from("two"));
    expect(subscriber.measureStall()).toBe(10_000);
    vi.advanceTimersByTime(10_000);
    expect([subscriber.measureStall(), subscriber.measureStall()]).toEqual([20_000, 20_000]);
    take();
    take();
    expect(subscriber.measureStall()).toBe(0);
  });

  it("does not count as stalled while the client reads missed events, even if more wait", async () => {
    const { subscriber, take } = createSubscriber();
    const missed = (async () => {
      for (let at = 0; at < 5; at += 1) await subscriber.deliver(Buffer.from("a frame"));
    })();
    for (let at = 0; at < 5; at += 1) {
      vi.advanceTimersByTime(15_000);
      expect(subscriber.measureStall()).toBe(15_000);
      take();
      await nextTurn();
    }
    await missed;
    expect(subscriber.measureStall()).toBe(0);
  });
});

describe("the welcome of a new stream client", () => {
  it("includes events that arrive during the replay before the client joins the audience", async () => {
    const audience = new Audience("public", "anonymous");
    const recent = new RecentEvents<StreamEvent>(source.history);
    recent.add([event(1), event(2)]);
    const coming = [event(3), event(4, { reach: "staff" }), event(5), event(6, { reach: "staff" })];
    const sent: string[] = [];
    const subscriber = {
      audience,
      isOpen: true,
      send: (bytes: Buffer) => void sent.push(String(bytes)),
      deliver: (bytes: Buffer) => {
        sent.push(String(bytes));
        recent.add(coming.splice(0, 2));
        return Promise.resolve();
      },
    };
    const replayed = await startSubscriber(subscriber as unknown as Subscriber, "1", {
      recent,
      source,
      drain: () => Promise.resolve(),
    });
    expect(replayed).toBe(3);
    expect(sent.slice(1)).toEqual([
      'id: 1\nevent: hello\ndata: {"level":"anonymous","lastEventId":1}\n\n',
      frame(2),
      frame(3),
      frame(5),
      "id: 6\n\n",
    ]);
    expect([...audience.members]).toEqual([subscriber]);
  });
});

describe("the buffer of recent events", () => {
  const idsAfter = (recent: RecentEvents<StreamEvent>, id: number) =>
    recent.after(id)?.map((held) => held.id);

  it("returns the events after an id that it contains, and nothing for any other id", () => {
    const recent = new RecentEvents<StreamEvent>(source.history);
    expect(recent.position).toBe(0);
    expect(recent.after(0)).toBeUndefined();
    recent.add([event(4), event(7), event(9)]);
    expect(recent.position).toBe(9);
    expect([4, 7, 9].map((id) => idsAfter(recent, id))).toEqual([[7, 9], [9], []]);
    expect([0, 3, 5, 10].map((id) => recent.after(id))).toEqual(Array(4).fill(undefined));
  });

  it("drops the oldest events when it contains too many", () => {
    const recent = new RecentEvents<StreamEvent>(source.history);
    for (let id = 1; id <= 4_001; id += 1) recent.add([event(id)]);
    expect(recent.after(2_001)).toBeUndefined();
    expect(recent.after(2_002)).toHaveLength(1_999);
    expect(recent.position).toBe(4_001);
  });

  it("drops the oldest events when it is too large, but keeps the newest event", () => {
    const recent = new RecentEvents<StreamEvent>(source.history);
    const large = "x".repeat(3 * 1024 * 1024);
    for (let id = 1; id <= 6; id += 1) recent.add([event(id, { payload: large })]);
    expect(recent.after(4)).toBeUndefined();
    expect(idsAfter(recent, 5)).toEqual([6]);
    recent.add([event(7, { payload: large.repeat(6) })]);
    expect(idsAfter(recent, 7)).toEqual([]);
    expect(recent.position).toBe(7);
  });
});
