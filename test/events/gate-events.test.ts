import type { WhereOptions } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { TriggerEvent } from "../../models/events/trigger-event.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { readPlainRows } from "../../models/queries/plain-rows.ts";
import { countGateEvents } from "../../shared/events/engine/count-triggers.ts";
import { deleteOldGateEvents } from "../../shared/events/engine/gate-events.ts";
import { sweepRuns } from "../../shared/events/engine/sweeper.ts";
import { emitTriggers } from "../../shared/facts/emit-triggers.ts";
import type { StreamFrame } from "../../shared/platform/bridge/frames.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { acquireSourceOwnership } from "../../shared/platform/ingest/ownership.ts";
import { samples } from "../shard/samples.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { runOf } from "../support/factories/events.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { storeShardBatch } from "../support/shard/ingest.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let admin: SignedIn;
beforeAll(async () => {
  shard = await startLinkedShard();
  admin = await signIn(shard.server, { role: "admin" });
});
afterAll(() => shard.stop());

async function post<T>(route: string, body: object = {}): Promise<T> {
  const answered = await shard.as(admin, route, { body });
  if (answered.status >= 300) throw new Error(answered.text);
  return answered.body as T;
}

/** Starts a run of this scope that waits for five events of the trigger. */
async function waiting(
  scope: string,
  given: object = {},
  trigger = "champ.end",
  where: readonly object[] = [],
): Promise<number> {
  const advance = { kind: "trigger", trigger, count: 5, where };
  const spec = { scope, phases: [{ key: "wait", title: "Wait", steps: [], advance }] };
  const made = await post<{ event: { id: number } }>("POST /admin/events", { title: scope, spec });
  await post(`POST /admin/events/${made.event.id}/publish`);
  const { run } = await post<{ run: { id: number } }>(
    `POST /admin/events/${made.event.id}/runs`,
    given,
  );
  await sweepRuns(shard.server.context);
  return run.id;
}

const end = (eventKey: string, more: object = {}) => ({
  trigger: "champ.end",
  eventKey,
  t: Date.now(),
  variables: { id: "0x40000001", outcome: "defeated", account: "secret" },
  ...more,
});

const emit = (source: string, ...keys: string[]): Promise<void> =>
  inTransaction(shard.server.context.sequelize, (within) =>
    emitTriggers(
      keys.map((key) => end(key)),
      { source, within, context: shard.server.context },
    ),
  );

const hitsOf = (runId: number) =>
  shard.server.context.models.EventTriggerHit.findAll({
    where: { runId },
    attributes: ["source", "eventKey"],
    order: ["source", "eventKey"],
    raw: true,
  });
const lastReadOf = async (runId: number) => (await runOf(shard.server, runId)).heard;
const storedOf = (where: WhereOptions<TriggerEvent>) =>
  readPlainRows(shard.server.context.models.EventNews, {
    where,
    columns: ["number", "trigger", "eventKey", "variables"],
    computed: {},
    order: ["number"],
  });
const countAllTriggers = () => countGateEvents(shard.server.context);

const drop = (seq: number): StreamFrame => ({
  type: "event",
  epoch: "drops",
  seq,
  bootId: null,
  eventKey: null,
  kind: "drop.artifact",
  t: Date.now(),
  replay: false,
  payload: samples["drop.artifact"],
});

describe("trigger events of several sources", () => {
  it("count once for each run whose scope includes them", async () => {
    await emit("shard", "before");
    const ofSite = await waiting("site");
    const ofShard = await waiting("shard");
    const one = await buildSurvivalServer(shard.server);
    const two = await buildSurvivalServer(shard.server);
    const ofServers = await waiting("survival:*");
    const ofOne = await waiting("shard", { scope: `survival:${one.id}` });
    await emit(`survival:${one.id}`, "one");
    await emit("shard", "one", "two");
    await countAllTriggers();
    await emit(`survival:${one.id}`, "one", "late");
    await emit(`survival:${two.id}`, "one");
    await countAllTriggers();
    await countAllTriggers();
    const shards = [
      { source: "shard", eventKey: "one" },
      { source: "shard", eventKey: "two" },
    ];
    expect(await hitsOf(ofShard)).toEqual(shards);
    expect(await lastReadOf(ofShard)).toEqual({ shard: 3 });
    const ofTheFirst = [
      { source: `survival:${one.id}`, eventKey: "late" },
      { source: `survival:${one.id}`, eventKey: "one" },
    ];
    const survival = [...ofTheFirst, { source: `survival:${two.id}`, eventKey: "one" }];
    expect(await hitsOf(ofSite)).toEqual([...shards, ...survival]);
    expect(await hitsOf(ofServers)).toEqual(survival);
    expect(await hitsOf(ofOne)).toEqual(ofTheFirst);
  });

  it("count for a gate that names certain servers only if one of these servers sent them", async () => {
    const [oak, elm, ash] = [
      await buildSurvivalServer(shard.server, { name: "Oak" }),
      await buildSurvivalServer(shard.server, { name: "Elm" }),
      await buildSurvivalServer(shard.server, { name: "Ash", listed: false }),
    ];
    const online = "survival.server.online";
    const named = { var: "serverId", op: "in", value: [oak.id, elm.id] };
    const ofTwo = await waiting("survival:*", {}, online, [named]);
    const { context } = shard.server;
    for (const { id: serverId, name: serverName } of [oak, elm, ash]) {
      const variables = { serverId, serverName, state: "online" };
      await inTransaction(context.sequelize, (within) =>
        emitTriggers([end("back", { trigger: online, variables })], {
          source: `survival:${serverId}`,
          within,
          context,
        }),
      );
    }
    await countAllTriggers();
    expect(await hitsOf(ofTwo)).toEqual(
      [oak, elm].map(({ id }) => ({ source: `survival:${id}`, eventKey: "back" })),
    );

    const changed = "survival.permission.changed";
    const onOne = (value: string) => [{ var: "servers", op: "contains", value }];
    const ofOak = await waiting("survival:*", {}, changed, onOne("Oak"));
    const ofElm = await waiting("survival:*", {}, changed, onOne("Elm"));
    const ofAsh = await waiting("site", {}, changed, onOne("Ash"));
    const grant = (value: string, scope: object) =>
      post<{ grant: { id: number } }>("POST /admin/survival/permissions/grants", {
        kind: "permission",
        steamId: "76561198000000001",
        value,
        scope,
      });
    const on = (...serverIds: number[]) => ({ all: false, serverIds });
    const first = await grant("kits.one", on(oak.id, ash.id));
    const everywhere = await grant("kits.all", { all: true, serverIds: [] });
    await grant("kits.none", on(ash.id));
    await countAllTriggers();
    const hit = ({ grant: { id } }: { grant: { id: number } }) => ({
      source: "survival",
      eventKey: `permission:${id}:granted`,
    });
    expect(await hitsOf(ofOak)).toEqual([hit(first), hit(everywhere)]);
    expect(await hitsOf(ofElm)).toEqual([hit(everywhere)]);
    // The server "Ash" is not listed, so the event omits its name and matches no condition on that name.
    expect(await hitsOf(ofAsh)).toEqual([]);
  });

  it("are numbered in commit order, so that none is skipped", async () => {
    const run = await waiting("site");
    const { sequelize } = shard.server.context;
    const open = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    const slow = inTransaction(sequelize, async (within) => {
      await emitTriggers([end("slow")], { source: "slow", within, context: shard.server.context });
      told.resolve();
      await open.promise;
    });
    await told.promise;
    const fast = emit("slow", "fast");
    await emit("quick", "other");
    await countAllTriggers();
    expect(await hitsOf(run)).toEqual([{ source: "quick", eventKey: "other" }]);
    open.resolve();
    await Promise.all([slow, fast]);
    await countAllTriggers();
    expect(await hitsOf(run)).toEqual([
      { source: "quick", eventKey: "other" },
      { source: "slow", eventKey: "fast" },
      { source: "slow", eventKey: "slow" },
    ]);
  });

  it("are stored with declared variables only, and not at all for an unknown trigger", async () => {
    const { context } = shard.server;
    await inTransaction(context.sequelize, (within) =>
      emitTriggers([end("kept"), end("dropped", { trigger: "player.death" })], {
        source: "plain",
        within,
        context,
      }),
    );
    expect(await storedOf({ source: "plain" })).toEqual([
      {
        number: 1,
        trigger: "champ.end",
        eventKey: "kept",
        variables: { id: "0x40000001", outcome: "defeated" },
      },
    ]);
  });

  it("are stored together with the shard's events if the shard sent them, and wake a waiting run", async () => {
    const { context } = shard.server;
    const { url } = shard.server.database;
    const signal = new AbortController().signal;
    const owner = await acquireSourceOwnership({ url, source: "shard", log: context.log, signal });
    const tell = (...seqs: number[]) => storeShardBatch(seqs.map(drop), owner, context);
    const woken = async () =>
      (await jobsOf(shard.server, "event.trigger", { kinds: ["drop.artifact"] })).map(
        ({ data }) => data,
      );
    await tell(1, 2);
    expect(await woken()).toEqual([]);
    const run = await waiting("shard", {}, "drop.artifact");
    await tell(2, 3, 4);
    await owner.release();
    expect(await woken()).toEqual([{ kinds: ["drop.artifact"] }]);
    const kept = await storedOf({ trigger: "drop.artifact" });
    expect(kept.map(({ eventKey }) => eventKey)).toEqual(
      [1, 2, 3, 4].map((seq) => `at drops ${seq}`),
    );
    await countAllTriggers();
    expect(await hitsOf(run)).toEqual([
      { source: "shard", eventKey: "at drops 3" },
      { source: "shard", eventKey: "at drops 4" },
    ]);
  });

  it("are not stored if their transaction is rolled back", async () => {
    const { context } = shard.server;
    const undone = inTransaction(context.sequelize, async (within) => {
      await emitTriggers([end("undone")], { source: "undone", within, context });
      throw new Error("no");
    });
    await expect(undone).rejects.toThrow("no");
    expect(await storedOf({ source: "undone" })).toEqual([]);
  });

  it("are deleted after a week, and the numbering continues", async () => {
    const { models, sequelize } = shard.server.context;
    await emit("old", "first");
    const eightDaysAgo = { storedAt: clockNowPlus(-8 * 86_400_000) };
    await models.EventNews.update(eightDaysAgo, { where: { source: "old" } });
    expect(await deleteOldGateEvents(sequelize)).toBe(1);
    await emit("old", "second");
    const left = await storedOf({ source: "old" });
    expect(left.map(({ number, eventKey }) => [number, eventKey])).toEqual([[2, "second"]]);
  });
});
