import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { BridgeError } from "../../shared/platform/bridge/bridge-error.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { sweepSyncs, runSync, runSyncJob } from "../../shared/survival/sync/delivery/run-sync.ts";
import { requestSync } from "../../shared/survival/sync/request-sync.ts";
import { settleSync } from "../../shared/survival/sync/settle-sync.ts";
import type { SyncAnswer, SyncKind } from "../../shared/survival/sync/sync-kind.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { forgetJobs } from "../support/database/forget-jobs.ts";
import { query } from "../support/database/query.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { endPushPause, endPushWait } from "../support/factories/survival-pushes.ts";
import { changeSurvivalServers } from "../support/factories/survival.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { makeList } from "../support/races/race.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker } from "../support/service/worker.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";
import { survivalFrame, storeSurvivalFrames } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let game: SurvivalGameSite;
let serverId: number;

beforeAll(async () => {
  server = await startTestServer({ environment: { SURVIVAL_DEBOUNCE: "0s" } });
  game = await startSurvivalGame(server);
});
afterAll(async () => {
  await game.simulator.stop();
  await server.stop();
});
beforeEach(async () => {
  serverId = game.server.id;
  await deleteAll(server, "SurvivalPush", "SurvivalLedgerEntry", "SurvivalServerState");
  await changeSurvivalServers(server, { enabled: true });
  await forgetJobs(server, "survival.push");
});

const name = "permission-inventory";

const ask = (reason = "test", serverIds: readonly number[] | "all" = [serverId]) =>
  inTransaction(server.context.sequelize, (transaction) =>
    requestSync({ names: [name], serverIds, reason }, server.context, transaction),
  );

/** Returns the stored state of the synchronization. */
const stands = async () => {
  const stored = ["asked", "pushed", "state", "reason", "error", "tries"] as const;
  const columns = [...stored, "busyUntil", "retryAt"] as const;
  const [row] = await storedRows(server.context.models.SurvivalPush, columns, { serverId, name });
  if (!row) return undefined;
  const { busyUntil, retryAt, ...rest } = row;
  return { ...rest, busy: busyUntil !== null, retried: retryAt !== null };
};

const ledger = () => {
  const { SurvivalLedgerEntry } = server.context.models;
  return storedRows(SurvivalLedgerEntry, ["what", "state", "reason"], { serverId });
};

const jobs = async () => {
  const all = await jobsOf(server, "survival.push", { name });
  return all.filter(({ state }) => state === "created").length;
};

/** Returns a kind of synchronization whose command is a function of the test. */
const kindThat = (send: () => Promise<SyncAnswer>, given: Partial<SyncKind> = {}): SyncKind => ({
  capability: "titles",
  prepare: () => Promise.resolve({ enters: ["titles"], send }),
  ...given,
});

const push = (kind: SyncKind) => runSync({ serverId, name }, kind, server.context);
const taken = () => Promise.resolve({});
const clean = { state: "clean", error: null, tries: 0, busy: false, retried: false };

describe("the ledger of pushes to survival servers", () => {
  it("keeps the newest 5,000 entries of a kind after a push of that kind, and all entries of event runs", async () => {
    await query(
      server,
      `insert into survival_ledger (server_id, what, ref, state, run_id)
       select $1, 'titles', gen_random_uuid()::text, 'confirmed', 7 from generate_series(1, 3)`,
      serverId,
    );
    await query(
      server,
      `insert into survival_ledger (server_id, what, ref, state, reason)
       select $1, what, gen_random_uuid()::text, 'confirmed', number::text
       from unnest(array['titles', 'voice']) what, generate_series(1, 5100) number`,
      serverId,
    );
    await ask();
    await push(kindThat(taken));
    const counts = await query(
      server,
      `select what, count(*)::integer, min(reason::integer) from survival_ledger
       where server_id = $1 and state = 'confirmed' and run_id is null group by 1 order by 1`,
      serverId,
    );
    // The deletion of old ledger entries keeps 5,000 of this kind, and this synchronization then adds one.
    expect(counts).toEqual([
      { what: "titles", count: 5_001, min: 101 },
      { what: "voice", count: 5_100, min: 1 },
    ]);
    const { SurvivalLedgerEntry } = server.context.models;
    expect(await SurvivalLedgerEntry.count({ where: { serverId, runId: 7 } })).toBe(3);
  });
});

describe("a requested push of data to a game server", () => {
  it("is sent once for any number of changes", async () => {
    const worker = await startTestWorker(server, ["events"], { everySeconds: 0.5 });
    const before = game.calls().length;
    await inTransaction(server.context.sequelize, async (transaction) => {
      for (const reason of ["one", "two", "three"]) {
        const asked = { names: [name], serverIds: [serverId], reason } as const;
        await requestSync(asked, server.context, transaction);
      }
    });
    await waitUntil("it is pushed", async () => (await stands())?.["state"] === "clean");
    await worker.stop();
    expect(await stands()).toEqual({ ...clean, asked: 3, pushed: 3, reason: "three" });
    expect(game.calls().slice(before)).toEqual(["GET /v1/perm/inventory"]);
  });

  it("is queued as one job, even if ten requests come at once", async () => {
    await Promise.all(makeList(10, () => ask()));
    expect(await jobs()).toBe(1);
    expect(await stands()).toMatchObject({ asked: 10, pushed: 0, state: "waiting" });
  });

  it("is dropped if its transaction is rolled back", async () => {
    const refused = inTransaction(server.context.sequelize, async (transaction) => {
      const asked = { names: [name], serverIds: "all", reason: "test" } as const;
      await requestSync(asked, server.context, transaction);
      throw new Error("refused");
    });
    await expect(refused).rejects.toThrow("refused");
    expect([await stands(), await jobs()]).toEqual([undefined, 0]);
  });

  it("is recorded without a job for a disabled server, and ignored for an unknown server", async () => {
    await changeSurvivalServers(server, { enabled: false });
    await ask("test", [serverId, 2_000_000_000]);
    expect(await jobs()).toBe(0);
    await runSyncJob({ serverId, name }, server.context);
    expect(await stands()).toMatchObject({ state: "offline", error: "the server is disabled" });
    expect(await jobs()).toBe(0);
    await runSyncJob({ serverId: 2_000_000_000, name }, server.context);
  });

  it("is requested again when the game sends a hello", async () => {
    await ask();
    await push(kindThat(() => Promise.reject(new BridgeError("SHARD_DOWN", { answered: 503 }))));
    expect(await stands()).toMatchObject({ state: "offline", error: "SHARD_DOWN", retried: false });
    await forgetJobs(server, "survival.push");
    await game.hear();
    expect(await stands()).toMatchObject({ state: "waiting", reason: "hello" });
    expect(await jobs()).toBe(1);
    await runSyncJob({ serverId, name }, server.context);
    expect(await stands()).toMatchObject({ state: "clean", error: null, tries: 0 });
  });
});

describe("a push of data to a game server", () => {
  it("is recorded in the ledger before it is sent, and its outcome afterwards", async () => {
    await ask();
    const seen: unknown[] = [];
    await push(
      kindThat(async () => {
        seen.push(await ledger(), await stands());
        return {};
      }),
    );
    expect(seen).toMatchObject([
      [{ what: "titles", state: "pushed", reason: null }],
      { state: "pushing", busy: true },
    ]);
    expect(await ledger()).toEqual([{ what: "titles", state: "confirmed", reason: null }]);
    expect(await stands()).toMatchObject({ ...clean, asked: 1, pushed: 1 });
  });

  it("marks the server as up to date without a request if there is nothing to send", async () => {
    await ask();
    await push(kindThat(taken, { prepare: () => Promise.resolve(null) }));
    expect(await stands()).toMatchObject({ ...clean, asked: 1, pushed: 1 });
    await push(kindThat(() => Promise.reject(new Error("sent again"))));
    expect(await ledger()).toEqual([]);
  });

  it.each<[string, BridgeError, object, string]>([
    ["INVALID", new BridgeError("INVALID"), { state: "failed", retried: true }, "failed"],
    ["UNAVAILABLE", new BridgeError("UNAVAILABLE"), { state: "failed", retried: true }, "lost"],
    [
      "SHARD_DOWN",
      new BridgeError("SHARD_DOWN", { reason: "no answer in 10000 ms" }),
      { state: "failed", retried: true },
      "lost",
    ],
    [
      "UNSUPPORTED",
      new BridgeError("UNSUPPORTED"),
      { state: "unsupported", retried: false },
      "failed",
    ],
  ])("is shown with the code %s if it fails with that code", async (code, error, shown, kept) => {
    await ask();
    const failures: unknown[] = [];
    const prepared = {
      enters: ["titles"],
      send: () => Promise.reject(error),
      fail: (failure: object) => Promise.resolve(void failures.push(failure)),
    } as const;
    await push(kindThat(taken, { prepare: () => Promise.resolve(prepared) }));
    expect(await stands()).toMatchObject({
      ...shown,
      error: code,
      pushed: 0,
      tries: 1,
      busy: false,
    });
    expect(await ledger()).toEqual([{ what: "titles", state: kept, reason: code }]);
    expect(failures).toEqual([{ reason: code, isLost: kept === "lost" }]);
  });

  it("is retried after a longer wait each time if the game accepts it only in part", async () => {
    await ask();
    await push(kindThat(() => Promise.resolve({ problem: "2 were refused" })));
    expect(await stands()).toMatchObject({ state: "failed", error: "2 were refused", tries: 1 });
    await push(kindThat(() => Promise.reject(new Error("too early"))));
    const waits =
      "select extract(epoch from retry_at - clock_timestamp()) > 15 as longer from survival_pushes";
    expect(await query(server, waits)).toEqual([{ longer: false }]);
    await endPushPause(server);
    await push(kindThat(() => Promise.resolve({ problem: "1 was refused" })));
    expect(await query(server, waits)).toEqual([{ longer: true }]);
    await endPushPause(server);
    await push(kindThat(taken));
    expect(await stands()).toMatchObject(clean);
  });

  it("runs alone for a server, and data that changes meanwhile is pushed afterward", async () => {
    await ask();
    const held = Promise.withResolvers<SyncAnswer>();
    let sent = 0;
    const slow = kindThat(() => {
      sent += 1;
      return held.promise;
    });
    const first = push(slow);
    await waitUntil("it is sent", () => sent > 0);
    await Promise.all(makeList(4, () => push(slow)));
    await ask("meanwhile");
    expect([sent, await stands()]).toMatchObject([1, { state: "pushing" }]);
    await forgetJobs(server, "survival.push");
    held.resolve({});
    await first;
    expect(await stands()).toMatchObject({ asked: 2, pushed: 1, state: "waiting" });
    expect(await jobs()).toBe(1);
  });

  it("ends with the frame that reports its outcome, even if the frame arrives before the answer", async () => {
    await ask();
    const { context } = server;
    let ref = "";
    const prepare: SyncKind["prepare"] = (target) => {
      ({ ref } = target);
      const send = () => Promise.resolve({ outcomeWithinMs: 60_000 });
      return Promise.resolve({ enters: ["group"], send });
    };
    await push(kindThat(taken, { prepare }));
    expect(await stands()).toMatchObject({ state: "pushing", busy: true, pushed: 0 });
    const told = (given: string) =>
      inTransaction(context.sequelize, (transaction) =>
        settleSync({ serverId, name, ref: given }, { state: "clean" }, context.queue, transaction),
      );
    expect(await told("another")).toBe(false);
    expect(await told(ref)).toBe(true);
    expect(await stands()).toMatchObject({ ...clean, pushed: 1 });
    await ask();
    const early: SyncKind["prepare"] = ({ ref: next }) =>
      Promise.resolve({
        enters: ["group"],
        send: async () => {
          await told(next);
          return { outcomeWithinMs: 60_000 };
        },
      });
    await push(kindThat(taken, { prepare: early }));
    expect(await stands()).toMatchObject({ ...clean, asked: 2, pushed: 2 });
    expect(await ledger()).toEqual(
      makeList(2, () => ({ what: "group", state: "confirmed", reason: null })),
    );
  });

  it("is recorded as lost if its worker died, and the sweep starts another push", async () => {
    await ask();
    const dies = kindThat(() => Promise.reject(new Error("killed")));
    await expect(push(dies)).rejects.toThrow("killed");
    await forgetJobs(server, "survival.push");
    await sweepSyncs(server.context);
    expect(await jobs()).toBe(0);
    await endPushWait(server);
    await sweepSyncs(server.context);
    expect(await jobs()).toBe(1);
    await push(kindThat(taken));
    expect(await ledger()).toEqual([
      { what: "titles", state: "lost", reason: "no-outcome" },
      { what: "titles", state: "confirmed", reason: null },
    ]);
  });

  it("is not sent to a plugin that reports that it does not support the push", async () => {
    await storeSurvivalFrames(server.context, serverId, [
      survivalFrame("server.hello", {
        serverName: "Oak",
        worldReady: true,
        world: { saveCreatedAt: 1_764_000_000_000 },
        helpers: [],
        capabilities: ["map"],
      }),
    ]);
    await push(kindThat(() => Promise.reject(new Error("sent"))));
    expect(await stands()).toMatchObject({
      state: "unsupported",
      error: "the server's plugin does not have the capability titles",
      retried: false,
    });
    expect(await ledger()).toEqual([]);
  });

  it("ends without an error if its server is deleted during the push", async () => {
    const other = await startSurvivalGame(server);
    await ask("test", [other.server.id]);
    const work = { serverId: other.server.id, name } as const;
    const gone = kindThat(async () => {
      await other.server.destroy();
      return { outcomeWithinMs: 1_000 };
    });
    await runSync(work, gone, server.context);
    await runSync(work, gone, server.context);
    await other.simulator.stop();
    expect(await server.context.models.SurvivalPush.count()).toBe(0);
  });
});

describe("the permission inventory of a server", () => {
  const page = (given: object) => ({
    inventoryId: "one",
    page: 1,
    pages: 2,
    groups: [],
    permissions: [],
    users: [],
    ...given,
  });
  const told = (given: object, frame = {}) =>
    storeSurvivalFrames(server.context, serverId, [
      survivalFrame("perm.inventory", page(given), frame),
    ]);
  const kept = () => {
    const { SurvivalPermissionInventory } = server.context.models;
    const columns = ["groups", "permissions", "users"] as const;
    return storedRows(SurvivalPermissionInventory, columns, { serverId });
  };
  const pages = () =>
    query(server, "select inventory_id, page from survival_permission_pages order by page");

  beforeEach(async () => {
    await query(server, "delete from survival_permission_pages");
    await deleteAll(server, "SurvivalPermissionInventory", "RejectedFrame");
  });

  it("is stored when all its pages have arrived, in any order", async () => {
    const [one, two] = [
      { steamId: "76561198000000001", name: "Anna", groups: ["vip"], permissions: [] },
      { steamId: "76561198000000002", name: "Bert", groups: [], permissions: ["kits.vip"] },
    ];
    const permissions = [{ name: "kits.vip", plugin: "Kits" }];
    await told({ page: 2, users: [two] });
    expect(await kept()).toEqual([]);
    await told({ permissions, users: [one] });
    expect(await kept()).toEqual([{ groups: [], permissions, users: [one, two] }]);
    expect(await pages()).toEqual([]);
  });

  it("is replaced while its pages are incomplete if a page of a newer inventory or of another game process arrives", async () => {
    await told({ page: 2 });
    await told({ inventoryId: "two" });
    expect(await pages()).toEqual([{ inventory_id: "two", page: 1 }]);
    await told({ inventoryId: "two", page: 2 }, { bootId: "another" });
    expect(await kept()).toEqual([]);
    expect(await pages()).toEqual([{ inventory_id: "two", page: 2 }]);
  });

  const refused = () => {
    const where = { source: sourceNameOf(serverId) };
    return storedRows(server.context.models.RejectedFrame, ["reason", "detail"], where);
  };

  it("is refused if the number of a page is out of range", async () => {
    await told({ page: 1_001, pages: 1_001 });
    await told({ page: 3 });
    expect(await pages()).toEqual([]);
    expect(await refused()).toEqual([
      { reason: "schema", detail: "page must be less than or equal to 1000" },
      { reason: "schema", detail: "page 3 of 2" },
    ]);
  });

  itInLongLane.each([
    ["entries", 100_001, "a"],
    ["bytes", 70_000, "permission.".repeat(11)],
  ])(
    "is refused with too many %s, and the other frames of its batch are stored",
    async (_what, count, node) => {
      const plugin = "p".repeat(128);
      const permissions = Array.from({ length: count }, () => ({ name: node, plugin }));
      const large = { inventoryId: "large", permissions };
      await storeSurvivalFrames(server.context, serverId, [
        survivalFrame("survival.before", {}),
        survivalFrame("perm.inventory", page(large)),
        survivalFrame("perm.inventory", page({ ...large, page: 2 })),
        survivalFrame("survival.after", {}),
      ]);
      const detail = "the inventory has more than 33554432 bytes and 200000 entries";
      expect(await refused()).toEqual([{ reason: "size", detail }]);
      const happened = await storedRows(server.context.models.SurvivalEvent, ["kind"]);
      expect(happened.slice(-2)).toEqual([{ kind: "survival.before" }, { kind: "survival.after" }]);
      expect(await kept()).toEqual([]);
      await told({ inventoryId: "next", pages: 1 });
      expect(await kept()).toEqual([{ groups: [], permissions: [], users: [] }]);
    },
  );

  it("is stored without fields that its frames do not declare", async () => {
    const group = { name: "vip", title: "VIP", rank: 1, parent: null, permissions: ["kits.vip"] };
    await told({ pages: 1, groups: [{ ...group, secret: "x" }] });
    expect(await kept()).toEqual([{ groups: [group], permissions: [], users: [] }]);
  });

  it("is requested again together with the permissions after a plugin is unloaded, even before the first push", async () => {
    await storeSurvivalFrames(server.context, serverId, [
      survivalFrame("plugin.unloaded", { name: "Kits" }),
    ]);
    const { SurvivalPush } = server.context.models;
    const columns = ["name", "state", "reason"] as const;
    const lacking = await storedRows(SurvivalPush, columns, { serverId });
    const marked = { state: "waiting", reason: "plugin.unloaded" };
    expect(lacking.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
      { name: "permission-inventory", ...marked },
      { name: "permissions", ...marked },
    ]);
  });

  it.each([
    ["perm.changed", {}],
    ["plugin.loaded", { name: "Kits" }],
    ["plugin.unloaded", { name: "Kits" }],
  ])("is requested again after %s", async (kind, payload) => {
    await storeSurvivalFrames(server.context, serverId, [survivalFrame(kind, payload)]);
    expect(await stands()).toMatchObject({ state: "waiting", reason: kind });
    expect(await jobs()).toBe(1);
  });
});

describe("the report of a game on a push of permissions", () => {
  it("leaves an operation pending if one of the listed failures cannot be read", async () => {
    const { SurvivalPush, SurvivalPermissionRow } = server.context.models;
    await SurvivalPush.create({ serverId, name: "permissions", state: "pushing", ref: "first" });
    const step = { subjectKind: "user", subject: "76561198000000001", kind: "permission" } as const;
    const pending = { ...step, serverId, state: "pending", pushId: "first", op: "grant" } as const;
    for (const value of ["kits.vip", "kits.gold"]) {
      await SurvivalPermissionRow.create({ ...pending, value });
    }
    const failed = [
      { ...step, op: "grant", value: 0.5, reason: "?" },
      { ...step, op: "grant", value: "kits.gold", reason: "unknown-permission" },
    ];
    const report = { pushId: "first", ok: false, applied: 0, failed, at: Date.now() };
    await storeSurvivalFrames(server.context, serverId, [survivalFrame("perm.sync", report)]);
    const rows = await storedRows(SurvivalPermissionRow, ["value", "state"], { serverId });
    expect(rows.toSorted((one, other) => (one.value < other.value ? -1 : 1))).toEqual([
      { value: "kits.gold", state: "failed" },
      { value: "kits.vip", state: "pending" },
    ]);
    const where = { serverId, name: "permissions" };
    expect(await storedRows(SurvivalPush, ["state", "error"], where)).toEqual([
      {
        state: "waiting",
        error:
          "1 of the changes failed, for example grant 76561198000000001 kits.gold: unknown-permission",
      },
    ]);
    await deleteAll(server, "SurvivalPermissionRow");
  });
});

describe("a late report of a game on a push of permissions", () => {
  it("does not overwrite a push that began meanwhile", async () => {
    const { SurvivalPush, SurvivalPermissionRow } = server.context.models;
    const permissions = { serverId, name: "permissions" };
    await SurvivalPush.create({ ...permissions, state: "pushing", ref: "first" });
    await SurvivalPermissionRow.create({
      serverId,
      subjectKind: "user",
      subject: "76561198000000001",
      kind: "permission",
      value: "kits.vip",
      state: "pending",
      pushId: "first",
      op: "grant",
    });
    const second = await server.context.sequelize.transaction();
    await SurvivalPush.update({ ref: "second" }, { where: permissions, transaction: second });
    const revoking = { pushId: "second", op: "revoke" } as const;
    await SurvivalPermissionRow.update(revoking, { where: {}, transaction: second });
    const said = { pushId: "first", ok: true, applied: 1, failed: [], at: Date.now() };
    const told = storeSurvivalFrames(server.context, serverId, [survivalFrame("perm.sync", said)]);
    await Promise.race([told, waitUntilLockWaits(server)]);
    await second.commit();
    await told;
    const columns = ["state", "pushId", "op"] as const;
    expect(await storedRows(SurvivalPermissionRow, columns, { serverId })).toEqual([
      { state: "pending", pushId: "second", op: "revoke" },
    ]);
    await deleteAll(server, "SurvivalPermissionRow");
  });
});
