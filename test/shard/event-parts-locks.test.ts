import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { pruneEventsJob } from "../../jobs/shard/prune-events.job.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { acquireSourceOwnership } from "../../shared/platform/ingest/ownership.ts";
import {
  type EventPartition,
  readPartitions,
} from "../../shared/shard/event-partitions/partitions.ts";
import { recordPartitionChanges } from "../../shared/shard/event-partitions/shrink-partitions.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { locksHere } from "../support/database/locks-here.ts";
import { query } from "../support/database/query.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeShardBatch } from "../support/shard/ingest.ts";
import { samples } from "./samples.ts";

let server: TestServer;
let other: Client;
beforeEach(async () => {
  server = await startTestServer();
  other = new Client(server.database.url);
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await server.stop();
});

const prune = () =>
  pruneEventsJob.run({}, server.context, { jobId: "test", signal: new AbortController().signal });

const store = `insert into shard_events (source, epoch, seq, kind, t, payload, reach)
  select 'shard', $1::text, seq, $1::text, 1, '{}', 'public' from generate_series(1, $2::integer) seq
  returning id::integer`;

const goTo = (id: number) =>
  query(server, "select setval('shard_events_id_seq', $1::bigint, false)", id);

/** Fills the first partition with 400 events and closes it. 300 of the events have expired. */
async function fillFirstPart(): Promise<void> {
  await query(server, store, "champ.start", 100);
  await query(server, store, "presence.online", 300);
  await goTo(2_000_000);
  await query(server, store, "champ.boss", 1);
  expect(await prune()).toMatchObject({ noted: 1, deleted: 0 });
  await query(
    server,
    "update shard_events set created_at = now() - interval '2 days' where kind = 'presence.online'",
  );
}

const isWaitedFor = async (): Promise<boolean> => {
  const waiting = await query(
    server,
    // Do not lock the tables here. A query that locks them would wait behind the locks that it
    // looks for.
    `select pid from ${locksHere} where not granted and (relation = 'shard_events'::regclass
       or relation in (select inhrelid from pg_inherits where inhparent = 'shard_events'::regclass))`,
  );
  return waiting.length > 0;
};

const rewrittenBy = (result: unknown): number =>
  (result as { readonly rewritten: number }).rewritten;

const countOf = async (kind: string): Promise<unknown> =>
  (await query(server, "select count(*)::integer from shard_events where kind = $1", kind))[0];

const leftBehind = async (): Promise<unknown> =>
  (
    await query(
      server,
      `select coalesce(to_regclass('shard_events_rewritten'), to_regclass('shard_events_changed'))
         as tables, (select count(*)::integer from pg_trigger
           where tgrelid in (select relid from pg_partition_tree('shard_events'))) as triggers,
         to_regproc('note_shard_events_changed') as function`,
    )
  )[0];

describe("the rewrite of an event log partition", () => {
  it("replaces the partition while another transaction writes, without a deadlock", async () => {
    await fillFirstPart();
    await other.query("begin");
    await other.query(store, ["champ.end", 1]);
    // A statement without parameters releases the snapshot that the connection keeps after one with parameters.
    // The exchange of the partition would wait for that snapshot.
    await other.query("select 1");
    const pruning = prune();
    await waitUntil("the exchange waits for the writer", isWaitedFor);
    // This statement does not name a partition key, so it locks all partitions.
    await other.query("update shard_events set reach = 'staff' where kind = 'champ.start'");
    await other.query("commit");
    // A run of the job gives up after waiting two seconds for its lock. Then the next run replaces the partition.
    expect(rewrittenBy(await pruning) + rewrittenBy(await prune())).toBe(1);
    expect(
      await query(
        server,
        "select deadlocks::integer from pg_stat_database where datname = current_database()",
      ),
    ).toEqual([{ deadlocks: 0 }]);
    expect(
      await query(server, "select kind, reach, count(*)::integer from shard_events group by 1, 2"),
    ).toEqual(
      expect.arrayContaining([
        { kind: "champ.start", reach: "staff", count: 100 },
        { kind: "champ.boss", reach: "public", count: 1 },
        { kind: "champ.end", reach: "public", count: 1 },
      ]),
    );
    expect(await countOf("presence.online")).toEqual({ count: 0 });
  });

  it.each([
    ["changed", "update shard_events set payload = '{}' where kind = 'champ.start'", 100],
    ["deleted", "delete from shard_events where kind = 'champ.start' and seq < 10", 91],
  ])(
    "loses no change if rows are %s meanwhile, and a later run replaces the partition",
    async (_what, change, left) => {
      await query(server, store, "champ.end", 1);
      await fillFirstPart();
      await query(server, `update shard_events set payload = '{"level": 1}'`);
      // The exchange of the partition waits for this reader, whose snapshot is older than the copied rows.
      await other.query("begin isolation level repeatable read");
      await other.query("select 1");
      const pruning = prune();
      await waitUntil("the copy is written", async () => {
        const [found] = await query(
          server,
          "select to_regclass('shard_events_rewritten') is not null as is",
        );
        return found?.["is"] === true;
      });
      await query(server, change);
      await other.query("commit");
      expect(await pruning).toMatchObject({ deleted: 300, rewritten: 0 });
      expect(await prune()).toMatchObject({ deleted: 0, rewritten: 1 });
      expect(await countOf("champ.start")).toEqual({ count: left });
      const [first] = await query(
        server,
        "select payload from shard_events where seq = 50 limit 1",
      );
      expect(first).toEqual({ payload: left === 100 ? {} : { level: 1 } });
      expect(await leftBehind()).toEqual({ tables: null, triggers: 0, function: null });
    },
  );

  it("is repeated after its process died, and keeps changes that were made since", async () => {
    await fillFirstPart();
    const { sequelize } = server.context;
    const [part] = await readPartitions(sequelize);
    await inTransaction(sequelize, (transaction) =>
      recordPartitionChanges(part as EventPartition, transaction),
    );
    await query(server, "create table shard_events_rewritten (like shard_events including all)");
    await query(server, "delete from shard_events where kind = 'champ.start' and seq < 10");
    expect(await leftBehind()).toMatchObject({ triggers: 1 });
    expect(await prune()).toMatchObject({ deleted: 300, rewritten: 1 });
    expect(await countOf("champ.start")).toEqual({ count: 91 });
    expect(await leftBehind()).toEqual({ tables: null, triggers: 0, function: null });
  });
});

describe("the event log", () => {
  it("stores new events while one of its full partitions is locked", async () => {
    await fillFirstPart();
    await other.query("begin; lock table shard_events_0 in share row exclusive mode");
    const { config, log } = server.context;
    const signal = new AbortController().signal;
    const owner = await acquireSourceOwnership({
      url: config.DATABASE_URL,
      source: "shard",
      log,
      signal,
    });
    const board = (seq: number) =>
      ({
        type: "event",
        epoch: "6f1c3c5e-0000-4000-8000-000000000001",
        seq,
        bootId: null,
        eventKey: null,
        kind: "points.board",
        t: 1_764_200_000_000,
        replay: false,
        payload: { ...samples["points.board"], system: "NewBoard", t: seq },
      }) as const;
    let isStored = false;
    const storing = storeShardBatch([board(1), board(2)], owner, server.context);
    void storing.finally(() => (isStored = true));
    await waitUntil("it is stored, or waits", async () => isStored || (await isWaitedFor()));
    expect(isStored).toBe(true);
    await other.query("rollback");
    await storing;
    await owner.release();
    expect(
      await query(server, "select reach from shard_events where kind = 'points.board' order by id"),
    ).toEqual([{ reach: "public" }, { reach: "none" }]);
  });

  it("creates a partition for events that arrived before their partition existed", async () => {
    await goTo(5_000_000);
    await other.query("begin");
    expect((await other.query(store, ["far", 1])).rows).toEqual([{ id: 5_000_000 }]);
    const pruning = prune();
    await waitUntil("the log is waited for", isWaitedFor);
    await other.query("commit");
    await pruning;
    await prune();
    expect(await query(server, "select id from shard_events_rest")).toEqual([]);
    expect(
      await query(server, "select id::integer, tableoid::regclass::text as part from shard_events"),
    ).toEqual([{ id: 5_000_000, part: "shard_events_5000000" }]);
  });
});
