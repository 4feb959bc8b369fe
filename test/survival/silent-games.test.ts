import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { col, Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { requestSync } from "../../shared/survival/sync/request-sync.ts";
import { syncNames } from "../../shared/survival/sync/sync-kind.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

/** A sidecar that accepts each call and never answers. */
interface SilentSidecar {
  readonly id: number;
  /** The numbers of waiting calls by subject: at present, and the maximum so far. */
  readonly waiting: Record<"push" | "map", number>;
  readonly most: Record<"push" | "map", number>;
  stop(): void;
}

let server: TestServer;
let game: SurvivalGameSite;
let silent: readonly SilentSidecar[];
let worker: TestWorker | undefined;

beforeAll(async () => {
  server = await startTestServer({ environment: { SURVIVAL_DEBOUNCE: "0s" } });
  game = await startSurvivalGame(server);
  silent = [await startSilent(), await startSilent()];
});
afterAll(async () => {
  for (const one of silent) one.stop();
  await worker?.stop();
  await game.simulator.stop();
  await server.stop();
});

async function startSilent(): Promise<SilentSidecar> {
  const waiting = { push: 0, map: 0 };
  const most = { push: 0, map: 0 };
  const sidecar: Server = createServer((request, response) => {
    const about = request.url === "/v1/map/fetch" ? "map" : "push";
    waiting[about] += 1;
    most[about] = Math.max(most[about], waiting[about]);
    response.on("close", () => {
      waiting[about] -= 1;
    });
  });
  await new Promise<void>((listens) => sidecar.listen(0, "127.0.0.1", listens));
  const address = `127.0.0.1:${(sidecar.address() as AddressInfo).port}`;
  const link = { baseUrl: `http://${address}`, wsUrl: `ws://${address}/v1/stream`, token: "t" };
  const { id } = await linkSurvivalServer(server, link);
  const stop = () => {
    sidecar.closeAllConnections();
    sidecar.close();
  };
  return { id, waiting, most, stop };
}

const askForAll = (serverId: number) =>
  inTransaction(server.context.sequelize, (transaction) =>
    requestSync(
      { names: syncNames, serverIds: [serverId], reason: "test" },
      server.context,
      transaction,
    ),
  );

const saveId = Date.UTC(2026, 0, 1, 19);

/** Reports a world, and then one map picture after another. */
const tellPictures = (serverId: number, hashes: readonly string[]) =>
  storeSurvivalFrames(server.context, serverId, [
    survivalFrame("server.hello", {
      serverName: "Oak",
      worldReady: true,
      world: { saveCreatedAt: saveId },
      helpers: [],
      capabilities: ["map", "perm", "npc", "titles", "voice"],
    }),
    ...hashes.map((imageHash) =>
      survivalFrame("map.info", { saveId, worldSize: 4_000, imageHash, monuments: [] }),
    ),
  ]);

describe("games that accept calls and never answer", () => {
  it("occupy one job for pushes and one for map images each, and do not delay another game", async () => {
    const hashes = Array.from({ length: 6 }, (_, index) => String(index).repeat(64));
    for (const { id } of silent) {
      await tellPictures(id, hashes);
      await askForAll(id);
    }
    const fetches = await jobsOf(server, "survival.fetch-map");
    const fetchedFor = fetches.map(({ data }) => Number(data["serverId"]));
    const twice = silent.flatMap(({ id }) => [id, id]);
    expect(fetchedFor.toSorted((one, next) => one - next)).toEqual(twice);
    worker = await startTestWorker(server, ["events", "imports"], { everySeconds: 0.5 });
    await waitUntil("both wait for an answer", () =>
      silent.every(({ waiting }) => waiting.push > 0 && waiting.map > 0),
    );
    await game.hear();
    await askForAll(game.server.id);
    await waitUntil("the other game has all that it lacked", async () => {
      const { SurvivalPush, SurvivalMapImage } = server.context.models;
      const where = { serverId: game.server.id };
      const isLacking = { pushed: { [Op.lt]: col("asked") } };
      const lacking = await SurvivalPush.count({ where: { ...where, ...isLacking } });
      return lacking === 0 && (await SurvivalMapImage.count({ where })) > 0;
    });
    expect(silent.map(({ most }) => most)).toEqual([
      { push: 1, map: 1 },
      { push: 1, map: 1 },
    ]);
  });
});
