import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { pruneEventsJob } from "../../jobs/shard/prune-events.job.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { query } from "../support/database/query.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const events = () => server.context.models.ShardEvent;

const prune = () =>
  pruneEventsJob.run({}, server.context, { jobId: "test", signal: new AbortController().signal });

/** Stores this many events, with the next ids of the sequence. */
const storeMany = (kind: string, count: number, daysOld: number) =>
  query(
    server,
    `insert into shard_events (source, epoch, seq, event_key, kind, t, payload, reach, created_at)
     select 'shard', $1, seq, concat($1::text, seq), $1, 1, jsonb_build_object('text', repeat('x', 300)),
       'public', now() - make_interval(days => $3::integer)
     from generate_series(1, $2::integer) seq returning id`,
    kind,
    count,
    daysOld,
  );

/** Sets the id that the next event gets. */
const goTo = (id: number) => query(server, "select setval('shard_events_id_seq', $1, false)", id);

const parts = async (): Promise<string[]> => {
  const found = await query<{ name: string }>(
    server,
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'shard_events'::regclass and inhrelid <> 'shard_events_rest'::regclass
     order by length(inhrelid::regclass::text), 1`,
  );
  return found.map(({ name }) => name);
};

const size = async (): Promise<number> => {
  const [row] = await query<{ size: number }>(
    server,
    `select sum(pg_total_relation_size(relid))::float8 as size from pg_partition_tree('shard_events')
     where isleaf`,
  );
  return row?.size ?? 0;
};

const sizeOfKeys = async (): Promise<number> => {
  const [row] = await query<{ size: number }>(
    server,
    "select pg_relation_size('shard_event_keys')::float8 as size",
  );
  return row?.size ?? 0;
};

describe("the event log", () => {
  it("takes less disk space after old events are deleted", async () => {
    await storeMany("presence.online", 8_000, 2);
    await storeMany("champ.start", 4_000, 2);
    const before = await size();
    await goTo(2_000_000);
    await storeMany("champ.boss", 10, 2);
    expect(await prune()).toEqual({ made: 2, deleted: 8_000, noted: 1, dropped: 0, rewritten: 1 });
    expect(await size()).toBeLessThan(before / 2);
    expect(await events().count()).toBe(4_010);
    expect(await prune()).toEqual({ made: 0, deleted: 0, noted: 0, dropped: 0, rewritten: 0 });
  });

  it("deletes the event keys of deleted events", async () => {
    const kept = await query<{ kind: string; count: number }>(
      server,
      `select left(event_key, length('champ.start')) as kind, count(*)::integer
       from shard_event_keys group by 1`,
    );
    expect(kept).toEqual([{ kind: "champ.start", count: 4_000 }]);
  });

  it("stores no event keys of events that are already older than the retention of their kind", async () => {
    const before = await sizeOfKeys();
    await query(server, "vacuum full shard_event_keys");
    expect(before).toBeLessThan((await sizeOfKeys()) * 1.5);
  });

  it("deletes old events while another transaction locks its partitions, and creates partitions afterward", async () => {
    await goTo(3_000_000);
    await storeMany("server.heartbeat", 10, 2);
    const holder = await server.context.sequelize.transaction();
    await events().count({ transaction: holder });
    const held = { made: 0, noted: 0, dropped: 0, rewritten: 0 };
    expect(await prune()).toEqual({ ...held, deleted: 10 });
    await holder.rollback();
    expect(await prune()).toEqual({ ...held, made: 1, deleted: 0, noted: 1 });
    await events().destroy({ where: { id: { [Op.gte]: 3_000_000 } } });
  });

  it("drops a full partition when none of its events is left", async () => {
    const createdAt = clockNowPlus(-99 * 86_400_000);
    await events().update({ createdAt }, { where: { id: { [Op.lt]: 2_000_000 } } });
    expect(await prune()).toMatchObject({ deleted: 4_000, dropped: 1, rewritten: 0 });
    expect((await parts())[0]).toBe("shard_events_2000000");
    expect(await query(server, "select from shard_event_keys where until_id = 2000000")).toEqual(
      [],
    );
    expect(await query(server, "select from shard_event_seqs where until_id = 2000000")).toEqual(
      [],
    );
  });

  it("creates partitions before they are needed, so that no event lands in the default partition", async () => {
    for (const id of [3_999_999, 5_500_000, 8_200_000]) {
      await goTo(id);
      await storeMany(`at ${id}`, 3, 0);
      await prune();
    }
    expect(await parts()).toEqual(
      [2, 3, 4, 5, 8, 9, 10, 11, 12].map((at) => `shard_events_${at}000000`),
    );
    expect(await query(server, "select from shard_events_rest")).toEqual([]);
  });

  it("creates a partition for events that landed in the default partition", async () => {
    await goTo(40_000_000);
    await storeMany("far", 3, 0);
    expect(await query(server, "select from shard_events_rest")).toHaveLength(3);
    await prune();
    expect(await query(server, "select from shard_events_rest")).toEqual([]);
    expect(await storedRows(events(), ["id"], { kind: "far" })).toEqual(
      [40_000_000, 40_000_001, 40_000_002].map((id) => ({ id })),
    );
  });
});

describe("the first partition of the event log", () => {
  it("releases the space of events that were deleted before it was full", async () => {
    const before = server;
    server = await startTestServer();
    try {
      await storeMany("presence.online", 8_000, 2);
      await storeMany("champ.start", 4_000, 2);
      expect(await prune()).toMatchObject({ deleted: 8_000, noted: 0, rewritten: 0 });
      const full = await size();
      await goTo(2_000_000);
      await storeMany("champ.boss", 10, 2);
      expect(await prune()).toMatchObject({ deleted: 0, noted: 1, rewritten: 1 });
      expect(await size()).toBeLessThan(full / 2);
      expect(await server.context.models.ShardEvent.count()).toBe(4_010);
    } finally {
      await server.stop();
      server = before;
    }
  });
});
