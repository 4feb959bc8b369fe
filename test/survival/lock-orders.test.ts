import type { Transaction } from "sequelize";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import {
  acquireSourceOwnership,
  OwnershipLostError,
} from "../../shared/platform/ingest/ownership.ts";
import { storeFrames } from "../../shared/platform/ingest/store-batch.ts";
import { createSurvivalSource } from "../../shared/survival/ingest/survival-source.ts";
import { expireGrants } from "../../shared/survival/permissions/grants/changes.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { requestSync } from "../../shared/survival/sync/request-sync.ts";
import type { SyncName } from "../../shared/survival/sync/sync-kind.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { timeoutMs } from "../support/clock/wait.ts";
import { countDeadlocks } from "../support/database/deadlocks.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { buildSteamLink, buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let admin: SignedIn;
let other: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  other = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());
beforeEach(() => deleteAll(server, "SurvivalPush", "SurvivalGrant", "SteamLink"));

const askAs = async ({ headers }: SignedIn, route: string, body?: object) =>
  statusAndBodyOf(await callRoute(server, route, { body, headers }));
const ask = (route: string, body?: object) => askAs(admin, route, body);

/**
 * Becomes the owner of a server's source.
 * @returns functions that store frames and release the source
 */
const hearing = async (serverId: number) => {
  const { context } = server;
  const { config, log } = context;
  const source = sourceNameOf(serverId);
  const signal = AbortSignal.timeout(timeoutMs);
  const owner = await acquireSourceOwnership({ url: config.DATABASE_URL, source, log, signal });
  const frames = [survivalFrame("plugin.failed", { name: "Kits", errors: [] })];
  return {
    hear: () => storeFrames(frames, owner, createSurvivalSource(serverId, context), log),
    stop: () => owner.release(),
  };
};

describe("an administrator's request while the frames of a game are stored", () => {
  it("deletes a server, and the frames that wait for the deletion are not stored", async () => {
    const { sequelize, models } = server.context;
    const { id: serverId } = await buildSurvivalServer(server);
    await models.SurvivalServerState.create({ serverId });
    const { hear, stop } = await hearing(serverId);
    try {
      const { ended, heard } = await sequelize.transaction(async (transaction) => {
        // Delay the deletion with a lock on one row, as if it deleted much data.
        const lock = transaction.LOCK.UPDATE;
        await models.SurvivalServerState.findByPk(serverId, { transaction, lock });
        const deleted = ask(`DELETE /admin/survival/servers/${serverId}`);
        await waitUntilLockWaits(server);
        const stored = hear().then(
          () => null,
          (error: unknown) => error,
        );
        await waitUntilLockWaits(server, 2);
        return { ended: deleted, heard: stored };
      });
      expect(await ended).toEqual([200, { id: serverId }]);
      expect(await heard).toBeInstanceOf(OwnershipLostError);
      expect(await server.context.models.SurvivalEvent.count()).toBe(0);
    } finally {
      await stop();
    }
  });

  it("syncs permissions without a deadlock, in whatever order the game's frames request pushes", async () => {
    const { id: serverId } = await buildSurvivalServer(server, { permissionSync: true });
    const pushed = await inTransaction(server.context.sequelize, async (held) => {
      const order = (name: SyncName) =>
        requestSync({ names: [name], serverIds: [serverId], reason: name }, server.context, held);
      // Request a synchronization because of a change, and later another one because the game has loaded the
      // plugin.
      await order("permissions");
      const synced = ask("POST /admin/survival/permissions/sync", { serverIds: [serverId] });
      await waitUntilLockWaits(server);
      await order("permission-inventory");
      return { synced };
    });
    expect(await pushed.synced).toEqual([
      200,
      { results: [{ serverId, state: "offline", ops: 0 }] },
    ]);
  });
});

describe("grants that change concurrently", () => {
  const asks = (serverId: number, held: Transaction) =>
    requestSync(
      { names: ["permissions"], serverIds: [serverId], reason: "grant" },
      server.context,
      held,
    );
  const grant = (steamId: string, serverId: number, given: object = {}) =>
    server.context.models.SurvivalGrant.create({
      kind: "permission",
      value: "kits.vip",
      steamId,
      scopeAll: false,
      serverIds: [serverId],
      ...given,
    });
  const over = { expiresAt: clockNowPlus(-1_000) };
  const anna = "76561198000000001";
  const bert = "76561198000000002";

  interface Way {
    /** Creates the initial rows. The second server is synchronized first. */
    readonly before: (first: number, second: number) => Promise<unknown>;
    readonly act: () => Promise<unknown>;
    /** The number of requested synchronizations of each server at the end. */
    readonly pushes: readonly number[];
  }
  const ways: Readonly<Record<string, Way>> = {
    "grants that expire": {
      before: async (first, second) => {
        await grant(anna, second, over);
        await grant(bert, first, over);
      },
      act: () => expireGrants(server.context),
      pushes: [2, 2],
    },
    "grants that are created while others expire": {
      before: (_first, second) => grant(anna, second, over),
      act: () =>
        ask("POST /admin/survival/permissions/grants", {
          kind: "permission",
          steamId: anna,
          value: "kits.vip",
        }),
      pushes: [2, 3],
    },
    "grants of a group that is deleted while others expire": {
      before: async (_first, second) => {
        await grant(bert, second, over);
        await server.context.models.SurvivalPermissionGroup.create({
          name: "vip",
          parent: null,
          serverIds: [],
          updatedBy: null,
        });
      },
      act: async () => {
        const { models } = server.context;
        const found = await models.SurvivalPermissionGroup.findOne({ where: { name: "vip" } });
        await ask(`DELETE /admin/survival/permissions/groups/${found?.id}`);
      },
      pushes: [2, 3],
    },
    "grants of an account that its user unlinks": {
      before: async (first, second) => {
        const { userId } = admin;
        await buildSteamLink(server, { steamId: anna, userId });
        await grant(anna, second, { userId });
        await grant(anna, first, { userId, value: "kits.red" });
      },
      act: () => ask(`DELETE /player/survival/link/${anna}`),
      pushes: [2, 2],
    },
  };

  it.each(Object.keys(ways))("request pushes to servers in the same order: %s", async (name) => {
    const { before, act, pushes } = ways[name] as Way;
    const { id: first } = await buildSurvivalServer(server);
    const { id: second } = await buildSurvivalServer(server);
    await before(first, second);
    const acted = await inTransaction(server.context.sequelize, async (held) => {
      await asks(first, held);
      const acting = act();
      await Promise.race([acting, waitUntilLockWaits(server)]);
      await asks(second, held);
      return { acting };
    });
    await acted.acting;
    const { SurvivalPush } = server.context.models;
    const asked = await storedRows(SurvivalPush, ["asked"], { serverId: [first, second] });
    expect(asked.map((push) => push.asked)).toEqual(pushes);
  });
});

describe("the grants of a group", () => {
  const grant = (steamId: string) =>
    server.context.models.SurvivalGrant.create({
      kind: "membership",
      value: "vip",
      steamId,
      serverIds: [],
    });

  it.each([
    ["deleted", "DELETE", undefined],
    ["renamed", "PUT", { name: "member" }],
  ])("are locked in the order of their ids when the group is %s", async (_what, method, body) => {
    const { sequelize, models } = server.context;
    const { SurvivalGrant: Grant, SurvivalPermissionGroup: Group } = models;
    await Group.destroy({ where: { protected: false } });
    const group = await Group.create({ name: "vip", parent: null, serverIds: [], updatedBy: null });
    // Insert the rows so that neither the index of accounts nor the table has them in the order of
    // ids.
    const first = await grant("76561198000000002");
    const second = await grant("76561198000000001");
    await first.update({ reason: "changed" });
    const changed = await sequelize.transaction(async (transaction) => {
      const held = { transaction, lock: transaction.LOCK.UPDATE };
      await Grant.findByPk(first.id, held);
      const changing = ask(`${method} /admin/survival/permissions/groups/${group.id}`, body);
      await waitUntilLockWaits(server);
      await Grant.findByPk(second.id, held);
      return { changing };
    });
    expect(await changed.changing).toMatchObject([200, {}]);
  });
});

describe("a deleted user", () => {
  it("has no grant left, even one that was created during the deletion", async () => {
    const { models } = server.context;
    const { id: serverId } = await buildSurvivalServer(server);
    const { userId } = await createTestUser(server);
    const steamId = "76561198000000003";
    await buildSteamLink(server, { steamId, userId });
    const { giving, deleting } = await inTransaction(server.context.sequelize, async (held) => {
      const order = { names: ["permissions"], serverIds: [serverId], reason: "grant" } as const;
      await requestSync(order, server.context, held);
      const given = ask("POST /admin/survival/permissions/grants", {
        kind: "permission",
        userId,
        value: "kits.vip",
      });
      await waitUntilLockWaits(server);
      const deleted = askAs(other, `DELETE /admin/users/${userId}`);
      await waitUntilLockWaits(server, 2);
      return { giving: given, deleting: deleted };
    });
    expect(await giving).toMatchObject([201, { grant: { steamId, userId } }]);
    expect(await deleting).toMatchObject([200, {}]);
    expect(await models.SurvivalGrant.count({ where: { steamId } })).toBe(0);
  });
});

describe("all requests of this file", () => {
  it("cause no deadlock", async () => {
    expect(await countDeadlocks(server)).toBe(0);
  });
});
