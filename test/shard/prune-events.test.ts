import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { pruneEventsJob } from "../../jobs/shard/prune-events.job.ts";
import { pruneEvents } from "../../shared/shard/streams/prune-events.ts";
import { query } from "../support/database/query.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeEvents } from "../support/shard/shard-events.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => server.context.models.ShardEvent.destroy({ where: {} }));
afterAll(() => server.stop());

const storeMany = (kind: string, count: number, daysOld: number) =>
  query(
    server,
    `insert into shard_events (source, epoch, seq, kind, t, payload, reach, created_at)
     select 'shard', concat($1::text, $3::integer), seq, $1::text, 1, '{}', 'none',
       now() - make_interval(days => $3::integer)
     from generate_series(1, $2::integer) seq`,
    kind,
    count,
    daysOld,
  );

const kindsLeft = async (): Promise<string[]> => {
  const left = await server.context.models.ShardEvent.findAll({
    attributes: ["kind"],
    order: ["id"],
    raw: true,
  });
  return left.map(({ kind }) => kind);
};

interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

const rowsRead = (node: PlanNode): number =>
  Math.max(
    node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0),
    ...(node.Plans ?? []).map(rowsRead),
  );

const day = 86_400_000;

describe("shard.prune-events", () => {
  it("deletes queued market changes that were never matched, except for the last half million", async () => {
    await query(
      server,
      `insert into listing_news (id, vendor_serial, serial)
       overriding system value values (1, 1, 1), (2, 1, 2), (3, 1, 3), (500002, 1, 4)`,
    );
    await pruneEventsJob.run({}, server.context, {
      jobId: "test",
      signal: new AbortController().signal,
    });
    expect(await query(server, "select id::integer from listing_news order by id")).toEqual([
      { id: 3 },
      { id: 500_002 },
    ]);
    await query(server, "delete from listing_news");
  });

  it("deletes events that are older than the retention of their kind, and no others", async () => {
    await storeEvents(server, [
      { kind: "presence.online", agoMs: 2 * day },
      { kind: "server.heartbeat", agoMs: 2 * day },
      { kind: "champ.start", agoMs: 2 * day },
      { kind: "presence.login", agoMs: day / 2 },
      { kind: "champ.boss", agoMs: 91 * day },
      { kind: "vendor.sale", agoMs: 91 * day },
      { kind: "account.login", agoMs: 366 * day },
      { kind: "shard.mystery", agoMs: 91 * day },
    ]);
    expect(await pruneEvents(server.context)).toEqual({ deleted: 5 });
    expect(await kindsLeft()).toEqual(["champ.start", "presence.login", "vendor.sale"]);
    expect(await pruneEvents(server.context)).toEqual({ deleted: 0 });
  });

  it("deletes all old events, however many there are", async () => {
    await storeMany("presence.online", 12_000, 2);
    await storeMany("presence.online", 3, 0);
    expect(await pruneEvents(server.context)).toEqual({ deleted: 12_000 });
    expect(await kindsLeft()).toHaveLength(3);
  });

  it("reads at most 5,000 rows of events that are too young to be deleted", async () => {
    await storeMany("champ.progress", 10, 100);
    await storeMany("champ.progress", 30_000, 1);
    await query(server, "analyze shard_events");
    const asked = vi.spyOn(server.context.sequelize, "query");
    await pruneEvents(server.context);
    const statements = asked.mock.calls.filter(([text]) => (text as string).startsWith("delete"));
    asked.mockRestore();
    expect(statements).toHaveLength(1);
    for (const [text, options] of statements) {
      const { bind } = options as unknown as { bind: unknown[] };
      const [row] = await query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
        server,
        `explain (analyze, format json) ${text as string}`,
        ...bind,
      );
      const plan = row?.["QUERY PLAN"][0]?.Plan;
      expect(plan && rowsRead(plan)).toBeLessThanOrEqual(5_000);
    }
    expect(await kindsLeft()).toHaveLength(30_000);
  });
});
