import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { pruneEventsJob } from "../../jobs/shard/prune-events.job.ts";
import {
  acquireSourceOwnership,
  type SourceOwnership,
} from "../../shared/platform/ingest/ownership.ts";
import { query } from "../support/database/query.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { storeShardBatch } from "../support/shard/ingest.ts";
import { storeEvents } from "../support/shard/shard-events.ts";
import { buildBroadcast, eventsOf, flushStream, follow, useServer } from "./stream-clients.ts";

const server = useServer({ streams: { pollMs: 100 } });
let owner: SourceOwnership;
beforeEach(async () => {
  const { config, log } = server.current.context;
  const signal = new AbortController().signal;
  owner = await acquireSourceOwnership({ url: config.DATABASE_URL, source: "shard", log, signal });
});
afterEach(() => owner.release());

const at = (epoch: string, seq: number, eventKey: string | null) =>
  ({
    type: "event",
    epoch: `6f1c3c5e-0000-4000-8000-00000000000${epoch}`,
    seq,
    bootId: null,
    eventKey,
    kind: "champ.progress",
    t: 1_764_200_000_000,
    replay: false,
    payload: { id: "0x40004D21", name: "Despise", level: 1 },
  }) as const;

const store = (...frames: ReturnType<typeof at>[]) =>
  storeShardBatch(frames, owner, server.current.context);

const goTo = (id: number) =>
  query(server.current, "select setval('shard_events_id_seq', $1::bigint, false)", id);

const stored = async () => {
  const { ShardEvent } = server.current.context.models;
  const columns = ["id", "epoch", "seq", "eventKey"] as const;
  const found = await storedRows(ShardEvent, columns, { kind: "champ.progress" });
  return found.map(
    ({ id, epoch, seq, eventKey }) => `${id} ${epoch.slice(-1)}${seq}${eventKey ?? ""}`,
  );
};

const prune = () =>
  pruneEventsJob.run({}, server.current.context, {
    jobId: "test",
    signal: new AbortController().signal,
  });

describe("the partitioned event log", () => {
  it("recognizes a repeated event of a full partition by its sequence number and by its key", async () => {
    await goTo(1_999_998);
    await store(at("1", 1, "a"), at("1", 2, "b"), at("1", 3, null));
    const before = ["1999998 11a", "1999999 12b", "2000000 13"];
    expect(await stored()).toEqual(before);
    await goTo(2_000_001);
    // Store the same events again before the job records the full partition, and once more after it did.
    await store(at("1", 1, null), at("1", 2, "b"), at("1", 3, null));
    await store(at("2", 1, "a"), at("2", 2, "b"));
    expect(await stored()).toEqual(before);
    expect(await prune()).toMatchObject({ noted: 1 });
    await store(at("1", 1, null), at("1", 2, "b"), at("1", 3, null));
    await store(at("2", 1, "a"), at("2", 2, "b"), at("2", 3, "c"), at("2", 3, "c"));
    expect((await stored()).slice(0, 3)).toEqual(before);
    expect((await stored()).slice(3)).toEqual([expect.stringMatching(/ 23c$/)]);
  });

  it("stores a repeated event once, even if a partition ends between the event and its repetition", async () => {
    await goTo(2_999_999);
    await store(at("3", 1, "d"), at("3", 2, "d"), at("3", 1, null));
    expect((await stored()).slice(4)).toEqual(["2999999 31d"]);
  });

  it("is read by a stream across the end of a partition without a gap", async () => {
    await goTo(3_999_998);
    const client = await follow(server.current, "public");
    await client.waitFor(({ event }) => event === "hello");
    const ids = await storeEvents(
      server.current,
      ["1", "2", "3", "4"].map((text) => buildBroadcast(text)),
    );
    expect(ids).toEqual([3_999_998, 3_999_999, 4_000_000, 4_000_001]);
    await flushStream(server.current, client);
    expect(
      eventsOf(client)
        .map(({ id }) => id)
        .slice(0, 4),
    ).toEqual(ids);
    const late = await follow(server.current, "public", { lastEventId: 3_999_998 });
    await late.waitFor(({ id }) => id === 4_000_001);
    expect(
      eventsOf(late)
        .map(({ id }) => id)
        .slice(0, 3),
    ).toEqual(ids.slice(1));
  });

  it("stores one range of sequence numbers for a full partition, and still recognizes its deleted events", async () => {
    const { ShardEvent } = server.current.context.models;
    await goTo(4_999_993);
    await store(...[1, 2, 3, 4, 5, 6, 7].map((seq) => at("4", seq, null)));
    await ShardEvent.destroy({ where: { epoch: at("4", 1, null).epoch, seq: [2, 4, 6] } });
    const before = await stored();
    await goTo(5_000_001);
    expect(await prune()).toMatchObject({ noted: 3 });
    expect(
      await query(
        server.current,
        "select noted::text from shard_event_seqs, unnest(seqs) noted where epoch like '%4'",
      ),
    ).toEqual([{ noted: "[1,8)" }]);
    await store(...[1, 2, 3, 4, 5, 6, 7].map((seq) => at("4", seq, null)));
    expect(await stored()).toEqual(before);
  });
});
