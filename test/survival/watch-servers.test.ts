import { afterAll, beforeAll, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import type { SourceSupervisor } from "../../shared/platform/ingest/source-supervisor.ts";
import { watchServers } from "../../shared/survival/ingest/watch-servers.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer, changeSurvivalState } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { SURVIVAL_OFFLINE_GRACE: "1s" } });
});
afterAll(() => server.stop());

/** Creates a server with a new world that was not announced yet. */
async function buildWiped(): Promise<number> {
  const { id } = await buildSurvivalServer(server, { enabled: true });
  for (const saveCreatedAt of [Date.UTC(2026, 0, 1, 19), Date.UTC(2026, 1, 5, 19)]) {
    await storeSurvivalFrames(server.context, id, [
      survivalFrame("server.hello", {
        serverName: "Oak",
        worldReady: true,
        world: { saveCreatedAt },
        helpers: [],
        capabilities: [],
      }),
    ]);
  }
  await changeSurvivalState(server, id, { untoldSince: clockNowPlus(-3_600_000) });
  return id;
}

const isTold = async (id: number): Promise<boolean> => {
  const told = await query(
    server,
    "select from survival_notices where source = $1 and trigger = 'survival.server.wiped'",
    sourceNameOf(id),
  );
  return told.length > 0;
};

it("a server whose rows are locked does not delay the messages about another server", async () => {
  const [held, free] = [await buildWiped(), await buildWiped()];
  const { models, sequelize } = server.context;
  const transaction = await sequelize.transaction();
  const lock = transaction.LOCK.UPDATE;
  await models.SurvivalServerState.findByPk(held, { transaction, lock });
  const counts = new Map([held, free].map((id) => [sourceNameOf(id), {}]));
  const keeper = { counts } as unknown as Pick<SourceSupervisor, "counts">;
  const watching = await watchServers(keeper, server.context);
  await waitUntil("the other's news is told", () => isTold(free));
  expect(await isTold(held)).toBe(false);
  await transaction.rollback();
  await waitUntil("its own is told then", () => isTold(held));
  await watching.stop();
});
