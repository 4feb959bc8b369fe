import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";

import { inTransaction } from "../../shared/db/transaction.ts";
import { becomeOwner, OwnershipLost } from "../../shared/ingest/ownership.ts";
import { storeBatch } from "../../shared/ingest/store-batch.ts";
import { survivalSource } from "../../shared/survival/ingest/survival-source.ts";
import { askForPush } from "../../shared/survival/pushes/ask-for-push.ts";
import type { PushName } from "../../shared/survival/pushes/push-names.ts";
import { sourceNameOf } from "../../shared/survival/servers/source-name.ts";
import { call, outcome } from "../support/call.ts";
import { deleteAll } from "../support/delete-all.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { untilWaiting } from "../support/overtake.ts";
import { query } from "../support/query.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";
import { survivalFrame } from "../support/survival-ingest.ts";

let server: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());
beforeEach(() => deleteAll(server, "SurvivalPush"));

const ask = async (route: string, body?: object) =>
  outcome(await call(server, route, { body, headers: admin.headers }));

/** Waits where another does, as ingest or a request that is slow: until `meanwhile` is begun. */
const hearing = async (serverId: number) => {
  const { context } = server;
  const { config, log } = context;
  const source = sourceNameOf(serverId);
  const signal = AbortSignal.timeout(10_000);
  const owner = await becomeOwner({ url: config.DATABASE_URL, source, log, signal });
  const frames = [survivalFrame("plugin.failed", { name: "Kits", errors: [] })];
  return {
    hear: () => storeBatch(frames, owner, survivalSource(serverId, context), log),
    stop: () => owner.release(),
  };
};

describe("what an administrator does while a game is heard", () => {
  it("ends a server, of which nothing is stored after", async () => {
    const { sequelize, models } = server.context;
    const { id: serverId } = await buildSurvivalServer(server);
    await models.SurvivalServerState.create({ serverId });
    const { hear, stop } = await hearing(serverId);
    try {
      const { ended, heard } = await sequelize.transaction(async (transaction) => {
        // The end of a server that has much takes long: here it waits for one row of it.
        const lock = transaction.LOCK.UPDATE;
        await models.SurvivalServerState.findByPk(serverId, { transaction, lock });
        const deleted = ask(`DELETE /admin/survival/servers/${serverId}`);
        await untilWaiting(server);
        const stored = hear().then(
          () => null,
          (error: unknown) => error,
        );
        await untilWaiting(server, 2);
        return { ended: deleted, heard: stored };
      });
      expect(await ended).toEqual([200, { id: serverId }]);
      expect(await heard).toBeInstanceOf(OwnershipLost);
      expect(await query(server, "select id from survival_events")).toEqual([]);
    } finally {
      await stop();
    }
  });

  it("pushes permissions, in whatever order the game asks for pushes", async () => {
    const { id: serverId } = await buildSurvivalServer(server, { permissionSync: true });
    const pushed = await inTransaction(server.context.sequelize, async (held) => {
      const order = (name: PushName) =>
        askForPush({ names: [name], serverIds: [serverId], reason: name }, server.context, held);
      // What a plugin drifted to, and then that one was loaded.
      await order("permissions");
      const synced = ask("POST /admin/survival/permissions/sync", { serverIds: [serverId] });
      await untilWaiting(server);
      await order("permission-inventory");
      return { synced };
    });
    expect(await pushed.synced).toEqual([
      200,
      { results: [{ serverId, state: "offline", ops: 0 }] },
    ]);
  });

  it("waits for what is heard in no circle", async () => {
    const deadlocks = await query<{ deadlocks: number }>(
      server,
      "select deadlocks::integer from pg_stat_database where datname = current_database()",
    );
    expect(deadlocks).toEqual([{ deadlocks: 0 }]);
  });
});
