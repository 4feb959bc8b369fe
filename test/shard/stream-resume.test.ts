import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";
import type { TestServer } from "../support/service/server.ts";
import { blockOf, type EventToStore, storeEvents } from "../support/shard/shard-events.ts";
import {
  buildBroadcast,
  createCallerHeaders,
  closeStreamsAfterEach,
  eventsOf,
  flushStream,
  follow,
  followLiveStream,
  type Path,
  setVisibility,
  startAnother,
  staffOnly,
  textsOf,
  useServer,
} from "./stream-clients.ts";

closeStreamsAfterEach();

const minute = 60_000;

/** Stores events and waits until the server has read them. @returns the events' ids */
async function settle(
  server: Pick<TestServer, "context" | "url">,
  events: readonly EventToStore[],
): Promise<number[]> {
  const ids = await storeEvents(server, events);
  const newest = ids.at(-1);
  await waitUntil("the events are read", async () => {
    const client = await followLiveStream(server, "public");
    return client.lastEventId === newest;
  });
  return ids;
}

/** Events, named by their audience. Signed-in callers may see `gated`. */
const events = {
  open: buildBroadcast("open"),
  gated: { kind: "drop.scroll", payload: { item: "scroll", skill: "Magery" } },
  staff: staffOnly,
  none: buildBroadcast("none", { reach: "none" }),
} satisfies Record<string, EventToStore>;
type EventName = keyof typeof events;

const sees: Readonly<Record<string, readonly EventName[]>> = {
  anonymous: ["open"],
  logged_in: ["open", "gated"],
  admin: ["open", "gated", "staff"],
};

interface Following {
  readonly servers: readonly TestServer[];
  readonly stream: Path;
  readonly headers: Readonly<Record<string, string>>;
  /** The numbers of blocks after which the connections are closed, one number per connection. */
  readonly cuts: readonly number[];
}

/**
 * Reads a stream like a browser whose connection breaks. Each new connection goes to the next
 * process.
 * @returns the ids of the received events, in order
 */
async function readBroken(following: Following, store: () => Promise<number>): Promise<number[]> {
  const { servers, stream, headers, cuts } = following;
  const ids: number[] = [];
  let lastEventId: number | undefined;
  let storing: Promise<number> | undefined;
  for (const [at, blocks] of [...cuts, Infinity].entries()) {
    const server = servers[at % servers.length] as TestServer;
    const client = await follow(server, stream, { headers, lastEventId });
    if (!storing) await client.waitFor(({ event }) => event === "hello");
    storing ??= store();
    const end = storing.then((id) => client.waitFor((block) => block.id === id));
    await Promise.race([end, client.waitFor(() => client.blocks.length >= blocks)]);
    client.close();
    ids.push(...eventsOf(client).map(({ id }) => id ?? NaN));
    lastEventId = client.lastEventId ?? lastEventId;
  }
  return ids;
}

describe("an event stream after the newest events of the log were lost, as in a failover", () => {
  const server = useServer({ streams: { pollMs: 100 } });

  it("sends a reset with a valid id, and continues with newly stored events", async () => {
    const [first, lost] = await settle(server.current, [
      buildBroadcast("1"),
      buildBroadcast("lost"),
    ]);
    const client = await followLiveStream(server.current, "public");
    expect(client.lastEventId).toBe(lost);
    const { ShardEvent } = server.current.context.models;
    await ShardEvent.destroy({ where: { id: lost ?? 0 } });
    const reset = await client.waitFor(({ event }) => event === "reset");
    expect(reset).toEqual({ event: "reset", data: { reason: "unknown" } });
    await waitUntil("it resumes from what is there", () => client.lastEventId === first);
    expect(eventsOf(client)).toEqual([reset]);
    const since = await followLiveStream(server.current, "public");
    const marker = await flushStream(server.current, client);
    await since.waitFor(({ id }) => id === marker.id);
    expect(eventsOf(client)).toEqual([reset, ...eventsOf(since)]);
  });

  it("sends a reset if other events have taken the ids of the lost events", async () => {
    const [taken] = await settle(server.current, [buildBroadcast("lost")]);
    const client = await followLiveStream(server.current, "public");
    const { ShardEvent } = server.current.context.models;
    await ShardEvent.update({ createdAt: clockNowPlus(1_000) }, { where: { id: taken ?? 0 } });
    const reset = await client.waitFor(({ event }) => event === "reset");
    expect(reset).toEqual({ event: "reset", data: { reason: "unknown" } });
    await waitUntil("it resumes from there", () => client.blocks.at(-1)?.id === taken);
    const since = await followLiveStream(server.current, "public");
    const marker = await flushStream(server.current, client);
    await since.waitFor(({ id }) => id === marker.id);
    expect(eventsOf(client)).toEqual([reset, ...eventsOf(since)]);
  });
});

describe("a resumed event stream", () => {
  const server = useServer({ environment: { SSE_MAX_PER_IP: "10000" } });

  it("sends missed events and then new events, with the access level of the new connection", async () => {
    const [first, second, , fourth] = await settle(server.current, [
      buildBroadcast("1"),
      buildBroadcast("2"),
      staffOnly,
      { kind: "drop.scroll", payload: { item: "scroll", skill: "Magery" } },
      buildBroadcast("5"),
    ]);
    const client = await follow(server.current, "public", { lastEventId: first });
    await flushStream(server.current, client);
    expect(client.blocks[1]).toEqual({
      id: first,
      event: "hello",
      data: { level: "anonymous", lastEventId: first },
    });
    expect(eventsOf(client)[0]).toEqual(blockOf(second, "world.broadcast", { text: "2", hue: 1 }));
    expect(textsOf(client)).toEqual(["2", "5", "marker"]);

    const headers = await createCallerHeaders(server.current, "logged_in");
    const signedIn = await follow(server.current, "public", { headers, lastEventId: first });
    await flushStream(server.current, signedIn);
    expect(eventsOf(signedIn).map(({ id }) => id)).toContain(fourth);
  });

  it("starts with the next event if no event was missed", async () => {
    const [newest] = await settle(server.current, [buildBroadcast("seen")]);
    const client = await follow(server.current, "public", { lastEventId: newest });
    await flushStream(server.current, client);
    expect(textsOf(client)).toEqual(["marker"]);
  });

  it("advances its position past missed events that the caller may not see", async () => {
    const [one, two, three] = await settle(server.current, [
      buildBroadcast("1"),
      buildBroadcast("2"),
      staffOnly,
    ]);
    const client = await follow(server.current, "public", { lastEventId: one });
    await flushStream(server.current, client);
    const ids = client.blocks.filter(({ id }) => id !== undefined).map(({ id }) => id);
    expect(ids.slice(0, -1)).toEqual([one, two, three]);
    expect(textsOf(client)).toEqual(["2", "marker"]);
  });

  it("takes its position from the query, unless the Last-Event-ID header gives one", async () => {
    const [one, two] = await settle(server.current, [
      buildBroadcast("1"),
      buildBroadcast("2"),
      staffOnly,
    ]);
    const query = `?lastEventId=${one}`;
    const byQuery = await follow(server.current, "public", { query });
    const byHeader = await follow(server.current, "public", { query, lastEventId: two });
    // Store the markers one after another. If two writers store events at once, the event with the
    // higher id may become visible first.
    await flushStream(server.current, byQuery);
    await flushStream(server.current, byHeader);
    expect(textsOf(byQuery).slice(0, 2)).toEqual(["2", "marker"]);
    expect(textsOf(byHeader)[0]).toBe("marker");
  });

  it("shows missed events according to the current visibility", async () => {
    const before = await followLiveStream(server.current, "public");
    const [first, last] = await settle(server.current, [
      buildBroadcast("1"),
      { kind: "presence.online", payload: { count: 1, byMap: {}, byRegion: { Luna: 1 } } },
      buildBroadcast("2"),
    ]);
    await before.waitFor(({ id }) => id === last);
    const rules = { presence: { fieldRules: { byRegion: "admin" } } } as const;
    await setVisibility(server.current, { announcements: { enabled: false }, ...rules });
    const client = await follow(server.current, "public", { lastEventId: first });
    await flushStream(server.current, client);
    await setVisibility(server.current, {});
    const payloads = eventsOf(client).map(({ data }) => (data as { payload: object }).payload);
    expect(payloads).toEqual([{ count: 1, facets: {} }, { reason: "marker" }]);
  });

  it("waits until its own process has read the events that another process has already read", async () => {
    const [id, next] = await storeEvents(
      server.current,
      [buildBroadcast("1"), buildBroadcast("2")],
      false,
    );
    const client = await follow(server.current, "public", { lastEventId: id });
    await client.waitFor((block) => block.id === next);
    expect(textsOf(client)).toEqual(["2"]);
  });

  it("counts toward its limits only missed events that the caller may see", async () => {
    const hidden = Array.from({ length: 1_500 }, (_, at) => ({
      ...staffOnly,
      agoMs: at < 700 ? 20 * minute : 0,
    }));
    const [first] = await settle(server.current, [
      buildBroadcast("seen"),
      ...hidden,
      buildBroadcast("missed"),
    ]);
    const client = await follow(server.current, "public", { lastEventId: first });
    await flushStream(server.current, client);
    expect(textsOf(client)).toEqual(["missed", "marker"]);
    const headers = await createCallerHeaders(server.current, "admin");
    const admin = await follow(server.current, "admin", { headers, lastEventId: first });
    expect((await admin.waitFor(({ event }) => event === "reset")).data).toEqual({
      reason: "too_old",
    });
  });

  it("sends 1,000 missed events, and sends a reset if there are more", async () => {
    const [first, second] = await settle(
      server.current,
      Array.from({ length: 1_002 }, (_, at) => buildBroadcast(String(at))),
    );
    const all = await follow(server.current, "public", { lastEventId: second });
    await flushStream(server.current, all);
    const texts = Array.from({ length: 1_000 }, (_, at) => String(at + 2));
    expect(textsOf(all)).toEqual([...texts, "marker"]);
    const tooMany = await follow(server.current, "public", { lastEventId: first });
    const reset = await tooMany.waitFor(({ event }) => event === "reset");
    expect(reset).toEqual({ event: "reset", data: { reason: "too_many" } });
  });

  it("sends a reset if missed events are older than ten minutes", async () => {
    const [first, second] = await settle(server.current, [
      buildBroadcast("1", { agoMs: 12 * minute }),
      buildBroadcast("2", { agoMs: 11 * minute }),
      buildBroadcast("3", { agoMs: 9 * minute }),
    ]);
    const old = await follow(server.current, "public", { lastEventId: first });
    expect((await old.waitFor(({ event }) => event === "reset")).data).toEqual({
      reason: "too_old",
    });
    const young = await follow(server.current, "public", { lastEventId: second });
    await flushStream(server.current, young);
    expect(textsOf(young)).toEqual(["3", "marker"]);
  });

  it.each([
    ["malformed", "abc"],
    ["malformed", "-1"],
    ["malformed", "1e3"],
    ["malformed", "99999999999999999999"],
    ["unknown", "900719925474099"],
  ])(
    "sends a reset (%s) if the position is %s, and then continues",
    async (reason, lastEventId) => {
      const [newest] = await settle(server.current, [buildBroadcast("before")]);
      const client = await follow(server.current, "public", { lastEventId });
      await client.waitFor(({ event }) => event === "reset");
      const marker = await flushStream(server.current, client);
      expect(client.blocks.slice(1)).toEqual([
        { id: newest, event: "hello", data: { level: "anonymous", lastEventId: newest } },
        { event: "reset", data: { reason } },
        marker,
      ]);
    },
  );

  it("sends a reset if the event at its position was never sent to streams or no longer exists", async () => {
    const [, none, , gone] = await settle(server.current, [
      buildBroadcast("1"),
      buildBroadcast("unchanged", { reach: "none" }),
      buildBroadcast("2"),
      buildBroadcast("gone"),
      buildBroadcast("3"),
    ]);
    const { models } = server.current.context;
    await models.ShardEvent.destroy({ where: { id: gone } });
    const fresh = await startAnother({ database: server.current.database });
    for (const lastEventId of [none, gone]) {
      const client = await follow(fresh, "public", { lastEventId });
      const reset = await client.waitFor(({ event }) => event === "reset");
      expect(reset.data).toEqual({ reason: "unknown" });
    }
  });

  it("gets events from the database if a new process does not hold them in memory", async () => {
    const texts = Array.from({ length: 600 }, (_, at) => String(at));
    const [first] = await storeEvents(server.current, [
      buildBroadcast("seen"),
      ...texts.map((text) => buildBroadcast(text)),
      ...Array.from({ length: 1_200 }, () => staffOnly),
      buildBroadcast("last"),
    ]);
    const fresh = await startAnother({ database: server.current.database });
    const client = await follow(fresh, "public", { lastEventId: first });
    await flushStream(fresh, client);
    expect(textsOf(client)).toEqual([...texts, "last", "marker"]);
  });

  it("reads no rows that the caller may not see, however many there are", async () => {
    const [first] = await storeEvents(
      server.current,
      Array.from({ length: 3_000 }, () => buildBroadcast("hidden", { agoMs: 60 * minute })),
    );
    await settle(server.current, [{ kind: "server.started" }]);
    await setVisibility(server.current, { announcements: { audience: "player" } });
    const fresh = await startAnother({ database: server.current.database });
    const query = vi.spyOn(fresh.context.sequelize, "query");
    const client = await follow(fresh, "public", { lastEventId: first });
    const hello = await client.waitFor(({ event }) => event === "hello");
    expect(hello.id).toBe(first);
    await client.waitFor(({ data }) => (data as { kind?: string })?.kind === "server.started");
    const read = await Promise.all(
      query.mock.calls.flatMap(([text], at) =>
        (text as string).includes("shard_events") ? [query.mock.results[at]?.value] : [],
      ),
    );
    query.mockRestore();
    await setVisibility(server.current, {});
    expect(read.flat().length).toBeLessThan(10);
  });

  it("sends a reset instead of holding more than a few megabytes for one client", async () => {
    const large = buildBroadcast("x".repeat(200 * 1024));
    const [first, ...ids] = await settle(
      server.current,
      Array.from({ length: 30 }, () => large),
    );
    const client = await follow(server.current, "public", { lastEventId: first });
    const reset = await client.waitFor(({ event }) => event === "reset");
    expect(reset).toEqual({ event: "reset", data: { reason: "too_many" } });
    const fresh = await startAnother({ database: server.current.database });
    const few = await follow(fresh, "public", { lastEventId: ids.at(-16) });
    await few.waitFor(({ id }) => id === ids.at(-1));
    expect(eventsOf(few).map(({ id }) => id)).toEqual(ids.slice(-15));
  });

  it("gives a client a position even if no event is stored", async () => {
    const empty = await startAnother();
    const first = await followLiveStream(empty, "public");
    expect(first.lastEventId).toBe(0);
    first.close();
    await storeEvents(empty, [buildBroadcast("1")]);
    const again = await follow(empty, "public", { lastEventId: first.lastEventId });
    await flushStream(empty, again);
    expect(textsOf(again)).toEqual(["1", "marker"]);
  });
});

describe("an event stream whose connections break", () => {
  const one = useServer({ environment: { SSE_MAX_PER_IP: "10000" } });

  it.each([
    ["public", "anonymous"],
    ["public", "logged_in"],
    ["admin", "admin"],
  ] as const)("loses and repeats no event (stream %s, access level %s)", async (stream, rung) => {
    const other = await startAnother({ database: one.current.database });
    const headers = await createCallerHeaders(one.current, rung);
    const batch = fc.record({
      names: fc.array(fc.constantFrom(...(Object.keys(events) as EventName[])), { maxLength: 30 }),
      notifies: fc.boolean(),
    });
    const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 });
    let before = 0;
    const property = fc.asyncProperty(fc.array(batch, { maxLength: 8 }), cuts, async (...given) => {
      const [batches, cutsAt] = given;
      const last = { names: ["open"] as EventName[], notifies: true };
      const expected: number[] = [];
      const store = async () => {
        for (const { names, notifies } of [...batches, last]) {
          const stored = names.map((name) => events[name]);
          const ids = await storeEvents(one.current, stored, notifies);
          expected.push(...ids.filter((_, at) => sees[rung]?.includes(names[at] as EventName)));
        }
        return expected.at(-1) as number;
      };
      const servers = [one.current, other];
      const read = await readBroken({ servers, stream, headers, cuts: cutsAt }, store);
      // Leave out the events of the last round: the first connection may have opened before its server had read
      // them.
      expect(read.filter((id) => id > before)).toEqual(expected);
      before = expected.at(-1) ?? before;
    });
    await fc.assert(property, { numRuns: propertyRunsOf(40) });
  });

  it("carries the same events from two processes on one database", async () => {
    const other = await startAnother({ database: one.current.database });
    const servers = [one.current, other];
    const clients = await Promise.all(servers.map((server) => followLiveStream(server, "public")));
    for (let round = 0; round < 10; round += 1) {
      await storeEvents(one.current, [events.open, events.gated, events.staff, events.open]);
    }
    const [marker] = await storeEvents(other, [events.open]);
    for (const client of clients) await client.waitFor(({ id }) => id === marker);
    const [ours, theirs] = clients.map(eventsOf);
    expect(ours).toHaveLength(21);
    expect(theirs).toEqual(ours);
  });
});
