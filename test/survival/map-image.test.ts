import { createHash } from "node:crypto";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { defaultStorageBounds } from "../../shared/platform/config/survival-bounds.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { storeMapImage } from "../../shared/survival/map/store-image.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import { type ImportTestSite, startImportTestSite } from "../imports/import-test-site.ts";
import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { gridOf } from "../simulator/survival/world/map.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { requireDescribedBodies } from "../support/bridge/described-bodies.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { overSidecar } from "../support/plugin/over-sidecar.ts";
import { waitUntilPluginsCall } from "../support/plugin/plugin-link.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { startSurvivalIngest } from "../support/survival/survival-ingest.ts";

const { start, stopAll } = createSurvivalSimulatorPool();
let ground: ImportTestSite;
let moderator: SignedIn;
let game: SurvivalSimulator;
let ingest: { stop(): Promise<void> };
let id: number;

const ask = (route: string, headers = {}): Promise<ApiAnswer> =>
  callRoute(ground.server, `GET /public/survival/servers/${route}`, { headers });
const mapOf = async (given = id) =>
  (await ask(`${given}/map`)).body as { image: ImageFacts | null };

interface ImageFacts {
  readonly hash: string;
  readonly url: string;
  readonly width: number;
}

const imageOf = (hash: string, headers = {}) => ask(`${id}/map/image?hash=${hash}`, headers);

const untilShown = (hash: string | undefined) =>
  waitUntil(
    () => `the picture ${hash} is shown`,
    async () => (await mapOf()).image?.hash === hash,
  );

const fetchMap = (given = id) => ground.ask(`POST /admin/survival/servers/${given}/map/fetch`);
const renderMap = (body: object = {}, given = id) =>
  ground.ask(`POST /admin/survival/servers/${given}/map/render`, body);

beforeAll(async () => {
  [ground, game] = await Promise.all([startImportTestSite(), start({ clock: Date.now })]);
  moderator = await signIn(ground.server, { role: "moderator" });
  id = (await linkSurvivalServer(ground.server, game)).id;
  ingest = await startSurvivalIngest(ground.server.context);
  await untilShown(game.world.save.image?.hash);
});
afterAll(async () => {
  await ingest.stop();
  await ground.stop();
  await stopAll();
  requireDescribedBodies("rust", game.received.commands);
});
beforeEach(() => game.faults.clear());

const picture = () => {
  const { image } = game.world.save;
  if (!image) throw new Error("the game has no picture");
  return image;
};

describe("GET /public/survival/servers/:id/map", () => {
  it("shows the image, the grid and the monuments of the current world", async () => {
    const { save } = game.world;
    const { hash, width, height, oceanMargin, background } = picture();
    const { status, body } = await ask(`${id}/map`);
    expect(status).toBe(200);
    expect(body).toEqual({
      serverId: id,
      worldSize: save.size,
      seed: String(save.seed),
      image: {
        hash,
        url: `/api/v1/public/survival/servers/${id}/map/image?hash=${hash}`,
        width,
        height,
        oceanMargin,
        background,
      },
      grid: { cells: 20, cellSize: save.size / 20 },
      monuments: save.monuments.map((monument) => ({
        ...monument,
        grid: gridOf(save.size, monument.x, monument.z),
      })),
      layers: { world: true, events: true, players: false, bases: false },
      live: true,
    });
  });

  it("hides monuments that have a hidden label, and the seed of a server that does not show it", async () => {
    const put = (monuments: object[]) =>
      ground.ask("PUT /admin/survival/visibility", { monuments });
    await put([{ label: "gas_station", shown: false }]);
    await ground.ask(`PUT /admin/survival/servers/${id}`, { showSeed: false });
    const shown = (await ask(`${id}/map`)).body as {
      seed: unknown;
      monuments: { label: string }[];
    };
    expect(shown.seed).toBeNull();
    expect(new Set(shown.monuments.map(({ label }) => label))).not.toContain("gas_station");
    expect(shown.monuments.length).toBeGreaterThan(0);
    await put([{ label: "gas_station", shown: null }]);
    await ground.ask(`PUT /admin/survival/servers/${id}`, { showSeed: true });
  });

  it("shows the image without monuments to callers below the audience of the world layer", async () => {
    await ground.ask("PUT /admin/survival/visibility", {
      layers: { world: "staff" },
      liveMap: { audience: "staff" },
    });
    expect(await mapOf()).toMatchObject({
      image: { hash: picture().hash },
      monuments: [],
      layers: { world: false, events: true },
      live: false,
    });
    const seen = await ask(`${id}/map`, moderator.headers);
    expect(seen.headers.get("cache-control")).toBe("private, no-store");
    expect(seen.body).toMatchObject({
      monuments: expect.arrayContaining([expect.objectContaining({ label: "outpost" })]),
      layers: { world: true, events: true, players: true, bases: true },
      live: true,
    });
    await ground.ask("PUT /admin/survival/visibility", { layers: null, liveMap: null });
  });

  it("is empty for a server that sent nothing yet, and 404 for an unlisted one", async () => {
    const silent = await buildSurvivalServer(ground.server);
    expect(statusAndBodyOf(await ask(`${silent.id}/map`))).toEqual([
      200,
      {
        serverId: silent.id,
        worldSize: null,
        seed: null,
        image: null,
        grid: null,
        monuments: [],
        layers: { world: true, events: true, players: false, bases: false },
        live: true,
      },
    ]);
    expect((await ask(`${silent.id}/map/image`)).status).toBe(404);
    await silent.update({ listed: false });
    expect((await ask(`${silent.id}/map`)).status).toBe(404);
  });
});

describe("GET /public/survival/servers/:id/map/image", () => {
  it("answers the bytes for their hash, which may be cached forever", async () => {
    const { hash, bytes } = picture();
    const answered = await imageOf(hash);
    expect(answered.status).toBe(200);
    expect(answered.bytes.equals(bytes)).toBe(true);
    expect(createHash("sha256").update(answered.bytes).digest("hex")).toBe(hash);
    expect(Object.fromEntries(answered.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      etag: `"${hash}"`,
      vary: "Origin",
    });
    const again = await imageOf(hash, { "if-none-match": `"${hash}"` });
    expect([again.status, again.bytes.length, again.headers.get("etag")]).toEqual([
      304,
      0,
      `"${hash}"`,
    ]);
  });

  it("redirects to the current image if no hash is given, and forbids caching the redirect", async () => {
    const { hash } = picture();
    for (const search of ["", "?hash="]) {
      const answered = await ask(`${id}/map/image${search}`);
      expect([
        answered.status,
        answered.headers.get("location"),
        answered.headers.get("cache-control"),
      ]).toEqual([302, `/api/v1/public/survival/servers/${id}/map/image?hash=${hash}`, "no-cache"]);
    }
  });

  it.each(["0".repeat(64), "x", "..%2F..%2Fetc", "%F0%9F%97%BA"])(
    "answers 404 to the unknown hash %s",
    async (hash) => {
      expect((await imageOf(hash)).status).toBe(404);
      const held = await imageOf(hash, { "if-none-match": `"${hash.slice(0, 3)}", *` });
      expect(held.status).toBe(404);
    },
  );

  it("answers 404 for another server and for an unlisted one", async () => {
    const other = await buildSurvivalServer(ground.server);
    const { hash } = picture();
    expect((await ask(`${other.id}/map/image?hash=${hash}`)).status).toBe(404);
    await ground.ask(`PUT /admin/survival/servers/${id}`, { listed: false });
    expect((await imageOf(hash)).status).toBe(404);
    await ground.ask(`PUT /admin/survival/servers/${id}`, { listed: true });
  });
});

describe("POST /admin/survival/servers/:id/map/fetch", () => {
  it("reports that the stored image is unchanged", async () => {
    expect(statusAndBodyOf(await fetchMap())).toEqual([
      200,
      { status: "unchanged", reason: null, code: null, hash: picture().hash },
    ]);
  });

  it("fetches an image that is not stored", async () => {
    await deleteAll(ground.server, "SurvivalMapImage");
    await ground.server.context.models.SurvivalWipe.update({ mapHash: null }, { where: {} });
    expect(await mapOf()).toMatchObject({ image: null });
    // The second request waits for the fetch of the first one or uses its result.
    const answers = await Promise.all([fetchMap(), fetchMap()]);
    const fetched = { reason: null, code: null, hash: picture().hash };
    expect(answers.map(statusAndBodyOf)).toContainEqual([200, { ...fetched, status: "fetched" }]);
    expect(answers.map(({ body }) => body)).toEqual([
      { ...fetched, status: expect.stringMatching(/^(?:fetched|unchanged)$/) },
      { ...fetched, status: expect.stringMatching(/^(?:fetched|unchanged)$/) },
    ]);
    expect((await imageOf(picture().hash)).bytes.equals(picture().bytes)).toBe(true);
  });

  it("rejects an image whose bytes do not match its hash", async () => {
    game.faults.trigger("badMap", { times: 1 });
    expect(statusAndBodyOf(await fetchMap())).toEqual([
      200,
      {
        status: "unavailable",
        reason: "the map image is invalid: the bytes do not match the hash",
        code: "MALFORMED",
        hash: null,
      },
    ]);
    expect(await mapOf()).toMatchObject({ image: { hash: picture().hash } });
  });

  it("reports why the server cannot send an image", async () => {
    const off = await buildSurvivalServer(ground.server);
    expect((await fetchMap(off.id)).body).toMatchObject({ code: "SHARD_DOWN" });
    const gone = { baseUrl: "http://127.0.0.1:1", wsUrl: "ws://127.0.0.1:1", token: "t" };
    const dead = await linkSurvivalServer(ground.server, gone);
    expect((await fetchMap(dead.id)).body).toMatchObject({ code: "SHARD_DOWN" });
    expect((await fetchMap(987_654)).status).toBe(404);
    await dead.destroy();
  });

  it.each<[string, Parameters<typeof game.faults.trigger>]>([
    ["BUSY", ["status", { path: "/v1/map/fetch", status: 409, code: "BUSY" }]],
    ["MALFORMED", ["html", { path: "/v1/map/fetch" }]],
    ["UNSUPPORTED", ["status", { path: "/v1/map/fetch", status: 404, code: "NOT_FOUND" }]],
  ])("stores no image if the answer of the server is %s", async (code, fault) => {
    game.faults.trigger(...fault);
    expect(statusAndBodyOf(await fetchMap())).toEqual([200, noneFor(code)]);
    expect(await mapOf()).toMatchObject({ image: { hash: picture().hash } });
  });

  // Run this test over sidecars only: a plugin never sends an answer that exceeds the site's limit.
  it("stores no image if the answer of the server is TOO_LARGE", overSidecar, async () => {
    game.faults.trigger("oversize", { path: "/v1/map/fetch" });
    expect(statusAndBodyOf(await fetchMap())).toEqual([200, noneFor("TOO_LARGE")]);
    expect(await mapOf()).toMatchObject({ image: { hash: picture().hash } });
  });

  const noneFor = (code: string) => ({
    status: "unavailable",
    reason: expect.any(String),
    code,
    hash: null,
  });

  it("answers BUSY while the world of the image is unknown", async () => {
    const { SurvivalWipe } = ground.server.context.models;
    const { save } = game.world;
    const known = { serverId: id, saveId: save.saveId };
    await SurvivalWipe.update({ saveId: 1 }, { where: known });
    expect((await fetchMap()).body).toMatchObject({ status: "unavailable", code: "BUSY" });
    await SurvivalWipe.update({ saveId: save.saveId }, { where: { serverId: id, saveId: 1 } });
    expect((await fetchMap()).body).toMatchObject({ status: "unchanged" });
  });

  it("runs as a job that can be followed, and is open to administrators only", async () => {
    const { headers } = ground.admin;
    const route = `POST /admin/survival/servers/${id}/map/fetch`;
    const taken = await callRoute(ground.server, route, {
      headers: { ...headers, prefer: "respond-async" },
    });
    expect(taken.status).toBe(202);
    const { jobId } = taken.body as { jobId: string };
    await waitUntil("the job is done", async () => {
      const { body } = await ground.ask(`GET /admin/jobs/${jobId}`);
      return (body as { job: { state: string } }).job.state === "completed";
    });
    expect((await callRoute(ground.server, route, { headers: moderator.headers })).status).toBe(
      403,
    );
    expect((await callRoute(ground.server, route)).status).toBe(401);
  });
});

describe("POST /admin/survival/servers/:id/map/render", () => {
  const renders = async () => {
    const route = `GET /admin/survival/ledger?server=${id}&what=map`;
    const { body } = await callRoute(ground.server, route, { headers: ground.admin.headers });
    const { ledger } = body as { ledger: { ref: string; state: string; reason: string | null }[] };
    return ledger.toReversed().map(({ ref, state, reason }) => ({ ref, state, reason }));
  };

  it("renders the map in the name of the administrator, fetches it, and keeps the old image", async () => {
    const before = picture().hash;
    expect(statusAndBodyOf(await renderMap({ scale: 0.75 }))).toEqual([
      200,
      { status: "queued", reason: null, code: null, scale: 0.75 },
    ]);
    const command = game.received.commands.findLast(({ path }) => path.endsWith("/render"));
    expect(command).toMatchObject({
      path: "/v1/map/render",
      actor: { userId: ground.admin.userId, role: "admin" },
      body: { scale: 0.75 },
    });
    expect(command?.key).toEqual(expect.any(String));
    expect(await renders()).toEqual([{ ref: command?.key, state: "confirmed", reason: null }]);
    await waitUntil("it is drawn", () => picture().hash !== before);
    await untilShown(picture().hash);
    const { status, headers } = await imageOf(before);
    expect([status, headers.get("cache-control")]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
    const asked = await activityOf(ground.server, { action: "import.map-render.asked" }, [
      "detail",
    ]);
    expect(asked).toEqual([{ detail: { serverId: id, scale: 0.75, userId: ground.admin.userId } }]);
  });

  const isOnline = async () => (await findServer(id, ground.server.context)).online;

  it("is recorded in the ledger even if the game refuses it", async () => {
    game.faults.trigger("away", {});
    expect((await renderMap()).body).toMatchObject({ status: "unavailable", code: "SHARD_DOWN" });
    expect((await renders()).at(-1)).toMatchObject({ state: "failed", reason: "SHARD_DOWN" });
    await waitUntil("it is known to be away", async () => !(await isOnline()));
    game.faults.trigger("back", {});
    await waitUntil("it is known to be back", isOnline);
    await waitUntilPluginsCall(ground.server);
  });

  it("uses half the size by default", async () => {
    expect((await renderMap()).body).toMatchObject({ status: "queued", scale: 0.5 });
    await untilShown(picture().hash);
  });

  it("keeps the three newest images of a world", async () => {
    const before = picture().hash;
    for (const scale of [0.2, 0.3, 0.4]) {
      await renderMap({ scale });
      await waitUntil("it is drawn", async () => (await mapOf()).image?.hash === picture().hash);
    }
    await waitUntil("it is drawn at the last size", async () => {
      const { SurvivalMapImage } = ground.server.context.models;
      return (await SurvivalMapImage.count({ where: { serverId: id } })) <= 3;
    });
    expect((await imageOf(picture().hash)).status).toBe(200);
    expect((await imageOf(before)).status).toBe(404);
  });

  it.each([{ scale: 0.05 }, { scale: 2 }, { scale: "big" }, { scale: null }])(
    "refuses %j",
    async (body) => {
      expect((await renderMap(body)).status).toBe(400);
    },
  );

  it("is unavailable if the plugin has no map, and sends no command to it", async () => {
    game.faults.trigger("incapable", { capabilities: ["map"] });
    const { SurvivalServerState } = ground.server.context.models;
    await waitUntil("it is known", async () => {
      const state = await SurvivalServerState.findByPk(id);
      const capabilities = state?.hello?.["capabilities"] as string[] | undefined;
      return capabilities?.includes("map") === false;
    });
    const before = game.received.commands.length;
    expect((await renderMap()).body).toMatchObject({ status: "unavailable", code: "UNSUPPORTED" });
    expect((await fetchMap()).body).toMatchObject({ status: "unavailable", code: "UNSUPPORTED" });
    expect(game.received.commands).toHaveLength(before);
  });
});

describe("a wipe", () => {
  it("shows the image of the new world, and keeps the old image under its hash", async () => {
    const before = picture().hash;
    game.faults.trigger("wipe", {});
    await waitUntil("the new world's picture is held", async () => {
      const { image } = await mapOf();
      return image !== null && image.hash !== before && image.hash === picture().hash;
    });
    expect((await imageOf(before)).status).toBe(200);
    const { wipes } = (await ask(`${id}/wipes`)).body as { wipes: { mapHash: string }[] };
    expect(wipes.map(({ mapHash }) => mapHash)).toEqual([picture().hash, before]);
  });

  it("shows no image if the new world has none", async () => {
    game.faults.trigger("wipe", {});
    game.faults.trigger("noImage", {});
    await waitUntil("the new world is known", async () => (await mapOf()).image === null);
    expect((await ask(`${id}/map/image`)).status).toBe(404);
    expect((await fetchMap()).body).toMatchObject({ status: "unavailable", code: "NO_IMAGE" });
  });
});

describe("a new map image", () => {
  it("is announced to the processes that serve streams, and an unchanged image is not announced", async () => {
    const { sequelize, models, listener } = ground.server.context;
    const { id: serverId } = await buildSurvivalServer(ground.server);
    const saveId = Date.UTC(2026, 0);
    await models.SurvivalWipe.create({ serverId, saveId, startedAt: new Date(saveId) });
    let told = 0;
    const unlisten = listener.on("survival_states", (news) => {
      if (news.serverId === serverId) told += 1;
    });
    const store = (hash: string) =>
      inTransaction(sequelize, (transaction) =>
        storeMapImage(serverId, smallImageOf(saveId, hash), defaultStorageBounds, transaction),
      );
    await store("a".repeat(64));
    await waitUntil("the image is told", () => told === 1);
    await store("a".repeat(64));
    await store("b".repeat(64));
    await waitUntil("the next image is told", () => told > 1);
    expect(told).toBe(2);
    unlisten();
  });
});

const smallImageOf = (saveId: number, hash: string) => ({
  bytes: Buffer.from("a picture"),
  hash,
  mime: "image/png" as const,
  saveId,
  width: 10,
  height: 10,
  oceanMargin: 0,
  worldSize: 4_000,
  background: null,
});

describe("the map images of many worlds", () => {
  it("are kept for the ten newest worlds and deleted for older worlds", async () => {
    const { sequelize, models } = ground.server.context;
    const { id: serverId } = await buildSurvivalServer(ground.server);
    const saves = Array.from({ length: 11 }, (_, month) => Date.UTC(2025, month));
    const hashOf = (saveId: number) => createHash("sha256").update(String(saveId)).digest("hex");
    // The picture of the oldest world is stored last, and deleted at once.
    for (const saveId of saves.toReversed()) {
      await models.SurvivalWipe.create({ serverId, saveId, startedAt: new Date(saveId) });
      const image = smallImageOf(saveId, hashOf(saveId));
      await inTransaction(sequelize, (transaction) =>
        storeMapImage(serverId, image, defaultStorageBounds, transaction),
      );
    }
    const statuses = await Promise.all(
      saves.map(
        async (saveId) => (await ask(`${serverId}/map/image?hash=${hashOf(saveId)}`)).status,
      ),
    );
    expect(statuses).toEqual([404, ...saves.slice(1).map(() => 200)]);
    const { wipes } = (await ask(`${serverId}/wipes`)).body as {
      wipes: { saveId: number; mapHash: string | null }[];
    };
    expect(wipes.find(({ saveId }) => saveId === saves[0])).toMatchObject({ mapHash: null });
  });
});
