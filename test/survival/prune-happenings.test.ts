import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startAfter } from "../../models/clock.ts";
import { pruneHappenings } from "../../shared/survival/feed/prune-happenings.ts";
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
      createdAt: startAfter(-daysOld * 86_400_000),
    })),
  );

const left = () =>
  query(
    server,
    `select kind, (now()::date - created_at::date) as age, count(*)::integer as count
     from survival_events group by 1, 2 order by 1, 2`,
  );

describe("survival.prune-happenings", () => {
  it("deletes what is past the age of its kind, however much that is, and nothing else", async () => {
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
    expect(await pruneHappenings(server.context)).toEqual({ deleted: 12_006 });
    expect(await left()).toEqual([
      { kind: "mod.brewed", age: 364, count: 1 },
      { kind: "player.chat", age: 29, count: 2 },
      { kind: "player.died", age: 364, count: 1 },
      { kind: "survival.npc.died", age: 364, count: 1 },
    ]);
    expect(await query(server, "select event_key from survival_notices")).toEqual([
      { event_key: "new" },
    ]);
    expect(await pruneHappenings(server.context)).toEqual({ deleted: 0 });
  });
});
