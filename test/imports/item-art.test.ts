import { Op } from "sequelize";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { smallWorld } from "../simulator/world/sizes.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { assetsOf } from "../support/factories/imports.ts";
import { changeSidecarLink } from "../support/factories/shard.ts";
import { requestUrl } from "../support/http/call.ts";
import { type Artwork, countShardCalls, sha256, startArtwork } from "./artwork.ts";

const [importing, warming] = ["/admin/shard/assets/import", "/admin/shard/assets/warm"];
const images = "/v1/assets/images";

let art: Artwork;
beforeAll(async () => {
  art = await startArtwork();
});
afterAll(() => art.stop());
beforeEach(() => art.renew());

const trigger = (...given: Parameters<Artwork["shard"]["simulator"]["faults"]["trigger"]>) =>
  art.shard.simulator.faults.trigger(...given);

const heldKeys = async () =>
  (await assetsOf(art.shard.server, { image: { [Op.not]: null } })).map(({ key }) => key);

/** Returns ids of items for which the shard has pictures. These items do not occur in the initial rows. */
const drawnItems = async (count: number): Promise<number[]> => {
  const { baseUrl, token } = art.shard.simulator;
  const response = await fetch(`${baseUrl}/v1/assets/keys?limit=5000`, {
    headers: { authorization: `Bearer ${token}`, "x-bridge-protocol": "8", "x-request-id": "1" },
  });
  const { keys } = (await response.json()) as { keys: [string, string][] };
  return keys
    .map(([key]) => /^item:(\d+)$/.exec(key)?.[1])
    .filter((id) => id !== undefined)
    .map(Number)
    .slice(0, count);
};

const blank = {
  status: "unavailable",
  reason: expect.stringMatching(/./),
  catalog: null,
  wanted: null,
  held: null,
  asked: null,
  fetched: null,
  written: null,
  absent: null,
  unsupported: null,
  remaining: null,
};
const aHash = expect.stringMatching(/^[\da-f]{64}$/);
const warmed = { reason: null, code: null, catalog: aHash };

describe("POST /admin/shard/assets/warm", () => {
  it("fetches the pictures that the market shows, in their hues, and no picture twice", async () => {
    await art.plantListings([
      [3922, 0, 3],
      [3922, 1153, 1],
      [3962, 0, 2],
      [65_000, 0, 1],
      [3922, 4_001, 1],
      [100_000, 0, 1],
    ]);
    expect(await art.post(warming)).toEqual({
      ...warmed,
      status: "imported",
      wanted: 5,
      held: 0,
      asked: 5,
      fetched: 3,
      written: 3,
      absent: 1,
      unsupported: 1,
      remaining: 0,
    });
    expect(await heldKeys()).toEqual(["item:3922", "item:3922:1153", "item:3962"]);
    const asked = countShardCalls(art, images);
    expect(await art.post(warming)).toEqual({
      ...warmed,
      status: "unchanged",
      wanted: 5,
      held: 3,
      asked: 0,
      fetched: 0,
      written: 0,
      absent: 0,
      unsupported: 0,
      remaining: 0,
    });
    expect(countShardCalls(art, images)).toBe(asked);
  });

  it("requests pictures in slices of 200 up to the limit, beginning with the pictures of the most listed items", async () => {
    await art.renew({ world: { ...smallWorld, items: 650 } });
    const ids = await drawnItems(600);
    await art.plantListings(ids.map((id, at) => [id, 0, at === 599 ? 3 : 1] as const));
    const counts = { ...warmed, status: "imported", wanted: 600, absent: 0, unsupported: 0 };
    const few = { asked: 1, fetched: 1, written: 1 };
    expect(await art.post(warming, { limit: 1 })).toEqual({
      ...counts,
      ...few,
      held: 0,
      remaining: 599,
    });
    expect(await heldKeys()).toEqual([`item:${ids[599]}`]);
    const most = { asked: 500, fetched: 500, written: 500 };
    expect(await art.post(warming)).toEqual({ ...counts, ...most, held: 1, remaining: 99 });
    expect(countShardCalls(art, images)).toBe(1 + 3);
    const rest = { asked: 99, fetched: 99, written: 99 };
    expect(await art.post(warming, { limit: 2000 })).toEqual({
      ...counts,
      ...rest,
      held: 501,
      remaining: 0,
    });
  });

  it("requests missing pictures again after the catalog has changed, or if forced", async () => {
    await art.plantListings([[65_000, 0, 1]]);
    expect(await art.post(warming)).toMatchObject({ status: "unchanged", asked: 1, absent: 1 });
    expect(await art.post(warming)).toMatchObject({ asked: 0, remaining: 0 });
    expect(await art.post(warming, { force: true })).toMatchObject({ asked: 1, absent: 1 });
    trigger("redrawn", { keys: ["land:3"] });
    expect(await art.post(warming)).toMatchObject({ asked: 1, absent: 1, remaining: 0 });
  });

  it("requests stored pictures again if forced, and counts only changed pictures as written", async () => {
    await art.plantListings([
      [3922, 0, 1],
      [3962, 0, 1],
    ]);
    await art.post(warming);
    const again = { asked: 2, fetched: 2, held: 2, remaining: 0 };
    expect(await art.post(warming, { force: true })).toMatchObject({
      ...again,
      status: "unchanged",
      written: 0,
    });
    trigger("redrawn", { keys: ["item:3922"] });
    expect(await art.post(warming, { force: true })).toMatchObject({
      fetched: 2,
      written: 1,
      status: "imported",
    });
  });

  it("leaves changed pictures of the catalog to the import, and fetches only changed hued pictures again", async () => {
    await art.post(importing);
    await art.plantListings([
      [3922, 0, 1],
      [3922, 77, 1],
    ]);
    expect(await art.post(warming)).toMatchObject({ written: 2 });
    expect(await art.get("/admin/shard/assets")).toMatchObject({ loaded: { items: 2 } });
    trigger("redrawn", { keys: ["item:3922", "item:3922:77"] });
    expect(await art.post(importing)).toMatchObject({ status: "imported", fetched: 1, written: 1 });
    expect(await art.post(warming)).toMatchObject({ held: 1, asked: 1, fetched: 1, written: 1 });
    expect(await art.post(warming)).toMatchObject({ held: 2, asked: 0 });
  });

  it("continues during an import of the same catalog, and stops if the import loads another catalog", async () => {
    await art.plantListings([[3922, 77, 1]]);
    const askMeanwhile = async (meanwhile: () => Promise<unknown>) => {
      const earlier = countShardCalls(art, images);
      trigger("hold", { path: images });
      const asked = art.post(warming, { force: true });
      await waitUntil("pictures are asked for", () => countShardCalls(art, images) > earlier);
      await meanwhile();
      trigger("release");
      return asked;
    };
    const finished = await askMeanwhile(() => art.post(importing));
    expect(finished).toMatchObject({ status: "imported", written: 1 });
    const stopped = await askMeanwhile(() => {
      trigger("redrawn", { keys: ["item:3922:77"] });
      return art.post(importing);
    });
    expect(stopped).toMatchObject({ status: "unavailable", code: "INCOMPLETE", written: 0 });
    expect(await art.post(warming)).toMatchObject({ asked: 1, written: 1 });
  });

  it("removes a hued picture that the shard no longer has", async () => {
    await art.plantListings([[3922, 77, 1]]);
    await art.post(warming);
    const { Asset, ItemArt } = art.shard.server.context.models;
    const key = "item:65000:77";
    await Asset.update({ key }, { where: {} });
    await ItemArt.update({ key, catalog: "an older one" }, { where: {} });
    await art.plantListings([[65_000, 77, 1]]);
    expect(await art.post(warming)).toMatchObject({ held: 0, asked: 2, absent: 1, written: 1 });
    expect(await heldKeys()).toEqual(["item:3922:77"]);
  });

  it("answers UNSUPPORTED without asking for pictures if the shard serves only pictures of bodies", async () => {
    await art.plantListings([[3922, 0, 1]]);
    trigger("families", { families: ["body"] });
    expect(await art.post(warming)).toEqual({
      ...blank,
      code: "UNSUPPORTED",
      catalog: aHash,
      wanted: 1,
      held: 0,
      asked: 0,
      fetched: 0,
      written: 0,
      absent: 0,
      unsupported: 0,
      remaining: 1,
    });
    expect(countShardCalls(art, images)).toBe(0);
  });

  it("keeps the pictures that arrived before the sidecar failed, and reports how many are missing", async () => {
    await art.renew({ world: { ...smallWorld, items: 500 } });
    const ids = await drawnItems(450);
    await art.plantListings(ids.map((id) => [id, 0, 1] as const));
    trigger("slow", { path: images, times: 2, ms: 0 });
    trigger("status", { path: images, status: 503, code: "SHARD_DOWN" });
    expect(await art.post(warming)).toEqual({
      ...blank,
      code: "SHARD_DOWN",
      catalog: aHash,
      wanted: 450,
      held: 0,
      asked: 450,
      fetched: 400,
      written: 400,
      absent: 0,
      unsupported: 0,
      remaining: 50,
    });
    expect(await art.post(warming)).toMatchObject({ status: "imported", held: 400, fetched: 50 });
  });

  it.each([
    ["MALFORMED", () => trigger("badImage", { form: "hash" })],
    ["UNAVAILABLE", () => trigger("status", { path: images })],
    ["NO_IMAGING", () => trigger("status", { path: images, status: 422, code: "NO_IMAGING" })],
    ["UNSUPPORTED", () => trigger("status", { path: images, status: 422, code: "UNSUPPORTED" })],
    ["TOO_LARGE", () => trigger("oversize", { path: images })],
    ["BUSY", () => trigger("hashing", { source: "assets" })],
    ["INCOMPLETE", () => trigger("incomplete", { source: "assets" })],
    ["NO_IMAGING", () => trigger("noImaging")],
    ["PROTOCOL", () => trigger("protocol", { path: "/v1/assets" })],
  ])(
    "answers %s for a fault (%#), and stores no picture of the request that failed",
    async (code, fault) => {
      await art.plantListings([
        [3922, 0, 1],
        [3962, 0, 1],
      ]);
      fault();
      expect(await art.post(warming)).toMatchObject({ status: "unavailable", code });
      expect(await heldKeys()).toEqual([]);
    },
  );

  it("answers INCOMPLETE if the pictures change after the manifest was read", async () => {
    await art.plantListings([[3922, 0, 1]]);
    trigger("hold", { path: "/v1/assets" });
    const asked = art.post(warming);
    await waitUntil("the manifest is asked for", () => countShardCalls(art, "/v1/assets") > 0);
    trigger("redrawn", { keys: ["land:3"] });
    trigger("release");
    expect(await asked).toMatchObject({ status: "unavailable", code: "INCOMPLETE", remaining: 1 });
    expect(await heldKeys()).toEqual([]);
  });

  it("answers DISABLED or NO_SOURCE without a call, depending on the settings of the link", async () => {
    await changeSidecarLink(art.shard.server, { protocol: 7 });
    await art.shard.server.context.shard.reload();
    expect(await art.post(warming)).toEqual({ ...blank, code: "NO_SOURCE" });
    await changeSidecarLink(art.shard.server, { enabled: false });
    expect(await art.post(warming)).toEqual({ ...blank, code: "DISABLED" });
    expect(countShardCalls(art, "/v1/assets")).toBe(0);
  });

  it("refuses a caller who is not an administrator, and a limit out of range", async () => {
    const moderator = await signIn(art.shard.server, { role: "moderator" });
    const { shard } = art;
    expect(await shard.as(moderator, `POST ${warming}`, { body: {} })).toMatchObject({
      status: 403,
    });
    for (const limit of [0, 2001, 1.5, "5"]) {
      expect(await shard.as(art.admin, `POST ${warming}`, { body: { limit } })).toMatchObject({
        status: 400,
        body: { errors: [{ path: "limit" }] },
      });
    }
  });
});

describe("GET /public/assets/:key and /public/assets/by-hash/:hash", () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    requestUrl(`${art.shard.server.url}/api/v1/public/assets/${path}`, { headers });

  it("redirect from a key to the picture, which may be cached forever", async () => {
    await art.plantListings([[3922, 1153, 1]]);
    await art.post(warming);
    const found = await get("item:3922:1153");
    expect(found.status).toBe(302);
    expect(found.headers.get("cache-control")).toBe("public, max-age=5");
    expect(found.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const location = found.headers.get("location") ?? "";
    const picture = await requestUrl(art.shard.server.url + location, {
      headers: { cookie: art.admin.cookie },
    });
    const { bytes } = picture;
    const hash = sha256(bytes);
    expect(location).toBe(`/api/v1/public/assets/by-hash/${hash}`);
    expect(picture.status).toBe(200);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(bytes.length),
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      etag: `"${hash}"`,
    });
    expect(picture.headers.get("vary")).not.toMatch(/cookie/i);
    const kept = await get(`by-hash/${hash}`, { "if-none-match": `"${hash}"` });
    expect([kept.status, kept.text]).toEqual([304, ""]);
    expect(kept.headers.get("etag")).toBe(`"${hash}"`);
    expect(kept.headers.get("cache-control")).toMatch(/immutable/);
    const other = await get(`by-hash/${hash}`, { "if-none-match": `"${"0".repeat(64)}"` });
    expect(other.status).toBe(200);
  });

  it("answer 404 for a picture that is not stored, and do not mark the answer as immutable", async () => {
    await art.post(importing);
    for (const path of ["item:3922", "body:2047", "land:16000", `by-hash/${"0".repeat(64)}`]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get("cache-control")).not.toMatch(/immutable/);
    }
    expect((await get("land:3")).status).toBe(302);
    expect((await get("body:400")).status).toBe(302);
  });

  it("answer 400 for an invalid key or hash", async () => {
    const odd =
      "item:0x0F52 item: item:03922 item:3922:0 item:3922:1153:1 body:17:5 gump:1 BODY:17 " +
      `body:123456 body:17%0A body:17%00 by-hash/abc by-hash/${"A".repeat(64)}`;
    for (const path of odd.split(" ")) {
      expect([path, (await get(path)).status]).toEqual([path, 400]);
    }
  });

  it("follow the market's visibility, except for pictures that are requested by hash", async () => {
    expect(await art.post(importing)).toMatchObject({ status: "imported" });
    const { AssetImage } = art.shard.server.context.models;
    const { hash } = await AssetImage.findOne({ rejectOnEmpty: true });
    const set = async (audience: object) => {
      const body = { features: { market: audience } };
      expect((await art.shard.as(art.admin, "PUT /admin/shard/visibility", { body })).status).toBe(
        200,
      );
    };
    await set({ audience: "admin" });
    expect([(await get("land:3")).status, (await get(`by-hash/${hash}`)).status]).toEqual([
      403, 200,
    ]);
    const own = await get("land:3", { cookie: art.admin.cookie });
    expect([own.status, own.headers.get("cache-control")]).toEqual([302, "private, no-store"]);
    await set({ enabled: false });
    expect([(await get("land:3")).status, (await get(`by-hash/${hash}`)).status]).toEqual([
      404, 200,
    ]);
  });
});
