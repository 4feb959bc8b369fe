import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { transactionStartPlus } from "../../models/queries/clock.ts";
import { defaultStorageBounds } from "../../shared/platform/config/survival-bounds.ts";
import { pruneEvents } from "../../shared/survival/feed/prune-events.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let serverId: number;
beforeAll(async () => {
  server = await startTestServer();
  serverId = (await buildSurvivalServer(server)).id;
});
afterAll(() => server.stop());

const store = (kind: string, daysOld: number, count = 1) =>
  server.context.models.SurvivalEvent.bulkCreate(
    Array.from({ length: count }, (_, seq) => ({
      serverId,
      epoch: `${kind}${daysOld}`,
      seq,
      kind,
      t: 1,
      payload: {},
      createdAt: transactionStartPlus(-daysOld * 86_400_000),
    })),
  );

const left = () =>
  query(
    server,
    `select kind, (now()::date - created_at::date) as age, count(*)::integer as count
     from survival_events group by 1, 2 order by 1, 2`,
  );

describe("survival.prune-happenings", () => {
  it("deletes all events that are older than the retention of their kind, and no others", async () => {
    await store("player.chat", 31, 12_000);
    for (const kind of ["player.joined", "player.left", "player.respawned"]) await store(kind, 31);
    for (const kind of ["player.died", "survival.npc.died", "mod.brewed"]) {
      await store(kind, 364);
      await store(kind, 366);
    }
    await store("player.chat", 29, 2);
    await query(
      server,
      `insert into survival_notices (source, trigger, event_key, told_at)
       values ('survival', 'x', 'old', now() - interval '366 days'), ('survival', 'x', 'new', now())`,
    );
    expect(await pruneEvents(server.context)).toEqual({ deleted: 12_006 });
    expect(await left()).toEqual([
      { kind: "mod.brewed", age: 364, count: 1 },
      { kind: "player.chat", age: 29, count: 2 },
      { kind: "player.died", age: 364, count: 1 },
      { kind: "survival.npc.died", age: 364, count: 1 },
    ]);
    expect(await query(server, "select event_key from survival_notices")).toEqual([
      { event_key: "new" },
    ]);
    expect(await pruneEvents(server.context)).toEqual({ deleted: 0 });
  });

  it("deletes the oldest events of a server whose events exceed the limit in bytes", async () => {
    const { context } = server;
    const full = (await buildSurvivalServer(server)).id;
    const byDay = (daysOld: number, bytes: number) =>
      query(
        server,
        `insert into survival_storage_days (server_id, part, day, kept)
         values ($1, 'eventBytes', (now() at time zone 'UTC')::date - $2::integer, $3)`,
        full,
        daysOld,
        bytes,
      );
    const SURVIVAL_BOUNDS = { ...defaultStorageBounds, storedEventBytes: 100 };
    const bounded = { ...context, config: { ...context.config, SURVIVAL_BOUNDS } };
    for (const [daysOld, bytes] of [
      [0, 500],
      [1, 60],
      [2, 60],
      [3, 60],
    ] as const) {
      await byDay(daysOld, bytes);
    }
    await context.models.SurvivalEvent.destroy({ where: {} });
    for (const daysOld of [4, 3, 2, 1, 0]) await storeOf(full, daysOld);
    await storeOf(serverId, 4);
    // Today's events are not deleted: ingest limits their size when it stores them.
    expect(await pruneEvents(bounded)).toEqual({ deleted: 4 });
    expect(await left()).toEqual([
      { kind: "player.died", age: 0, count: 1 },
      { kind: "player.died", age: 4, count: 1 },
    ]);
    expect(await query(server, leftOut, full)).toEqual([{ part: "storedEventBytes", count: 4 }]);
    expect(await pruneEvents(bounded)).toEqual({ deleted: 0 });
  });
});

const leftOut =
  "select part, left_out::integer as count from survival_storage where server_id = $1 and left_out > 0";

const storeOf = (ofServer: number, daysOld: number) =>
  server.context.models.SurvivalEvent.create({
    serverId: ofServer,
    epoch: "epoch",
    seq: 10 - daysOld,
    kind: "player.died",
    t: 1,
    payload: {},
    createdAt: transactionStartPlus(-daysOld * 86_400_000),
  });
