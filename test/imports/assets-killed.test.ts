import { afterEach, beforeEach, expect, it } from "vitest";

import { smallWorld } from "../simulator/world/sizes.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import { assetsOf, countStagedRows } from "../support/factories/imports.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { type Artwork, countShardCalls, startArtwork } from "./artwork.ts";

const [status, importing] = ["/admin/shard/assets", "/admin/shard/assets/import"];
const images = "/v1/assets/images";

let art: Artwork;
let worker: ChildProgram;
beforeEach(async () => {
  const world = { ...smallWorld, items: 1_200, land: 450 };
  art = await startArtwork({ simulator: { world }, hasWorker: false });
  const { database } = art.shard.server;
  worker = await startProgram("worker", { database, arguments: ["imports"] });
});
afterEach(async () => {
  await worker.kill();
  await art.stop();
});

const shown = () => assetsOf(art.shard.server);

it("a killed worker leaves the old pictures in place, and the next worker fetches only the missing pictures", async () => {
  const { simulator } = art.shard;
  expect(await art.post(importing)).toMatchObject({ status: "imported", pages: 4 });
  const [before, { loaded }] = [await shown(), await art.get(status)];
  const land = Array.from({ length: 0x4000 }, (_, id) => `land:${id}`);
  simulator.faults.trigger("redrawn", { keys: land });
  // The shard answers two batches of pictures and never answers the third.
  simulator.faults.trigger("slow", { path: images, times: 2, ms: 0 });
  simulator.faults.trigger("hang", { path: images, times: 1 });
  const earlier = countShardCalls(art, images);
  const asked = art.post(importing);
  await waitUntil(
    "the third slice is asked for",
    () => countShardCalls(art, images) === earlier + 3,
  );
  await worker.kill();
  await expireWorkerHeartbeats(art.shard.server);
  expect(await shown()).toEqual(before);
  expect((await art.get(status))["loaded"]).toEqual(loaded);
  await worker.start();
  const lacking = 450 - 400;
  expect(await asked).toMatchObject({ status: "imported", fetched: lacking, written: 450 });
  expect(countShardCalls(art, images)).toBe(earlier + 4);
  expect(await art.get(status)).toMatchObject({ drift: false, loaded: { land: 450 } });
  const isPutAway = async () => (await countStagedRows(art.shard.server, "asset_stage")) === 0;
  await waitUntil("what was staged is put away", isPutAway);
});
