import { beforeAll, describe, expect, it } from "vitest";

import { pruneEventsJob } from "../../jobs/shard/prune-events.job.ts";
import { query } from "../support/database/query.ts";
import type { StreamClient } from "../support/http/event-stream.ts";
import { storeEvents } from "../support/shard/shard-events.ts";
import {
  buildBroadcast,
  closeStreamsAfterEach,
  eventsOf,
  flushStream,
  follow,
  followLiveStream,
  startAnother,
  textsOf,
  useServer,
} from "./stream-clients.ts";

closeStreamsAfterEach();

const twoDays = 2 * 86_400_000;
/** An event that has expired, so that the next run of the job deletes it. */
const old = {
  kind: "presence.online",
  payload: { count: 1, byMap: {}, byRegion: {} },
  agoMs: twoDays,
};

const server = useServer();

const goTo = (id: number) =>
  query(server.current, "select setval('shard_events_id_seq', $1::bigint, false)", id);

/**
 * Ids of events, named after what happens to the event's row or partition. `first` and `second` remain in a
 * partition that is rewritten.
 */
const ids = { first: 0, prunedOfRewritten: 0, second: 0, ofDropped: 0, third: 0, newest: 0 };
/** The events of a client that connected before the partitions changed. */
let meanwhile: { readonly seen: readonly unknown[]; readonly reset: boolean };
let done: unknown;

beforeAll(async () => {
  const { context } = server.current;
  const store = async (...events: Parameters<typeof storeEvents>[1]) =>
    storeEvents(server.current, events);
  const client = await followLiveStream(server.current, "public");
  const [first, , pruned, , second] = await store(
    buildBroadcast("1"),
    old,
    old,
    old,
    buildBroadcast("2"),
  );
  await goTo(2_000_000);
  const [ofDropped] = await store(old, old, old);
  await goTo(3_000_000);
  const [third, newest] = await store(buildBroadcast("3"), buildBroadcast("4"));
  Object.assign(ids, { first, prunedOfRewritten: pruned, second, ofDropped, third, newest });
  await client.waitFor(({ id }) => id === newest);
  const attempt = { jobId: "test", signal: new AbortController().signal };
  done = await pruneEventsJob.run({}, context, attempt);
  await flushStream(server.current, client);
  meanwhile = { seen: broadcastsOf(client), reset: client.blocks.some(isReset) };
});

const isReset = ({ event }: { readonly event?: string }): boolean => event === "reset";

const broadcastsOf = (client: StreamClient): unknown[] =>
  textsOf(client).filter((text) => text !== undefined);

describe("an event stream over a dropped partition and a rewritten partition", () => {
  it("continues without a reset for a client that was connected while the partitions changed", () => {
    expect(done).toEqual({ made: 3, noted: 2, deleted: 6, dropped: 1, rewritten: 1 });
    expect(meanwhile).toEqual({ seen: ["1", "2", "3", "4", "marker"], reset: false });
  });

  it.each([
    ["inside the rewritten partition", "first", ["2", "3", "4"]],
    ["at the end of the rewritten partition", "second", ["3", "4"]],
    ["behind both partitions", "third", ["4"]],
  ] as const)(
    "resumes, once and in order, with the events after a position %s",
    async (_, at, texts) => {
      const fresh = await startAnother({ database: server.current.database });
      const client = await follow(fresh, "public", { lastEventId: ids[at] });
      const hello = await client.waitFor(({ event }) => event === "hello");
      expect(hello).toEqual({
        id: ids[at],
        event: "hello",
        data: { level: "anonymous", lastEventId: ids[at] },
      });
      await flushStream(fresh, client);
      expect(client.blocks.some(isReset)).toBe(false);
      // Leave out the markers of earlier tests.
      expect(broadcastsOf(client).filter((text) => text !== "marker")).toEqual(texts);
    },
  );

  it.each([
    ["was deleted from the rewritten partition", "prunedOfRewritten"],
    ["was in the dropped partition", "ofDropped"],
  ] as const)(
    "sends a reset if the event of the last event id %s, and then continues",
    async (_, at) => {
      const fresh = await startAnother({ database: server.current.database });
      const client = await follow(fresh, "public", { lastEventId: ids[at] });
      await client.waitFor(isReset);
      const { lastEventId: newest } = client;
      const marker = await flushStream(fresh, client);
      expect(client.blocks.slice(1)).toEqual([
        { id: newest, event: "hello", data: { level: "anonymous", lastEventId: newest } },
        { event: "reset", data: { reason: "unknown" } },
        marker,
      ]);
      expect(newest).toBeGreaterThanOrEqual(ids.newest);
      expect(eventsOf(client)).toHaveLength(2);
    },
  );
});
