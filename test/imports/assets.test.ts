import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { ImportRun } from "../../shared/imports/runs/run-import.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { AssetStage } from "../../shared/shard/assets/stage.ts";
import { playerBodies } from "../simulator/sources/assets.ts";
import { smallWorld } from "../simulator/world/sizes.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import {
  assetsOf,
  buildAsset,
  changeCreatures,
  chooseArt,
  countStagedRows,
} from "../support/factories/imports.ts";
import { changeSidecarLink } from "../support/factories/shard.ts";
import { type Artwork, countShardCalls, startArtwork } from "./artwork.ts";

const [status, importing] = ["/admin/shard/assets", "/admin/shard/assets/import"];
const images = "/v1/assets/images";

let art: Artwork;
beforeAll(async () => {
  art = await startArtwork();
});
afterAll(() => art.stop());
beforeEach(() => art.renew());

const trigger = (...given: Parameters<Artwork["shard"]["simulator"]["faults"]["trigger"]>) =>
  art.shard.simulator.faults.trigger(...given);

/** Returns the number of assets in the catalog. */
const keys = () => art.shard.server.context.models.Asset.count();

const pictureOf = async (key: string) =>
  (await art.shard.server.context.models.Asset.findByPk(key))?.image;

/** Inserts an asset that the shard does not list. */
const plant = (id: number) => buildAsset(art.shard.server, { key: `land:${id}` });

const noBodies = {
  asked: 0,
  answered: 0,
  resolved: 0,
  tally: { ok: 0, unknown: 0, notCreature: 0, failed: 0 },
  reason: null,
};
const blank = {
  status: "unavailable",
  reason: expect.stringMatching(/./),
  catalog: null,
  extractorVersion: null,
  assets: null,
  fetched: null,
  written: null,
  absent: null,
  unsupported: null,
  scanned: null,
  pages: null,
  playerBodies: [],
  bodies: noBodies,
  art: { applied: 0, derived: 0, operator: 0, error: null },
};
const aHash = expect.stringMatching(/^[\da-f]{64}$/);

describe("POST /admin/shard/assets/import", () => {
  it("loads the catalog, and the pictures of the land, of the bodies of players and of the atlas's creatures", async () => {
    await art.plantCreatures(["Orc", "Balron", "TreasureLevel1", "set", "Savage"]);
    const result = await art.post(importing);
    const pictures = playerBodies.length + 2 + smallWorld.land;
    expect(result).toEqual({
      status: "imported",
      reason: null,
      code: null,
      catalog: aHash,
      extractorVersion: 3,
      assets: await keys(),
      fetched: pictures,
      written: pictures,
      absent: 0,
      unsupported: 0,
      scanned: await keys(),
      pages: 1,
      playerBodies,
      bodies: {
        asked: 5,
        answered: 5,
        resolved: 2,
        tally: { ok: 2, unknown: 1, notCreature: 1, failed: 1 },
        reason: null,
      },
      art: { applied: 2, derived: 2, operator: 0, error: null },
    });
    expect(await art.get(status)).toEqual({
      loaded: {
        assets: await keys(),
        stored: pictures,
        creatures: 5,
        resolved: 2,
        catalog: result["catalog"],
        extractorVersion: 3,
        importedAt: anyTime,
        items: 0,
        land: smallWorld.land,
      },
      shard: {
        files: 14,
        extractorVersion: 3,
        hashing: false,
        complete: true,
        imaging: { ok: true, code: null, reason: null },
        families: ["body", "item", "land"],
      },
      drift: false,
      reason: null,
      code: null,
    });
    const creatures = await art.shard.server.context.models.AtlasCreature.findAll({
      attributes: ["typeKey", "status", "body"],
      order: ["typeKey"],
      raw: true,
    });
    expect(creatures).toEqual([
      { typeKey: "balron", status: "ok", body: 40 },
      { typeKey: "orc", status: "ok", body: 17 },
      { typeKey: "savage", status: "failed", body: null },
      { typeKey: "set", status: "unknown", body: null },
      { typeKey: "treasurelevel1", status: "notCreature", body: null },
    ]);
  });

  it("looks up no body ids of creatures while the atlas has no creatures", async () => {
    const result = await art.post(importing);
    expect(result).toMatchObject({
      status: "imported",
      fetched: playerBodies.length + smallWorld.land,
      bodies: { ...noBodies, reason: "The atlas has no creatures" },
    });
    expect(countShardCalls(art, "/v1/bodies/resolve")).toBe(0);
  });

  it("answers unchanged and reads nothing again if nothing has changed", async () => {
    const first = await art.post(importing);
    const walked = countShardCalls(art, "/v1/assets/keys");
    expect(await art.post(importing)).toEqual({
      ...first,
      status: "unchanged",
      fetched: 0,
      written: 0,
      scanned: 0,
      pages: 0,
      bodies: noBodies,
    });
    expect(countShardCalls(art, "/v1/assets/keys")).toBe(walked);
    expect(await art.post(importing, { approve: true })).toMatchObject({
      status: "unchanged",
      removed: 0,
    });
  });

  it("runs again after the atlas was replaced, and fetches the pictures of its creatures", async () => {
    await art.post(importing);
    await art.shard.server.context.models.AtlasState.update({ generation: 1 }, { where: {} });
    await art.plantCreatures(["Orc"]);
    expect(await art.post(importing)).toMatchObject({
      status: "imported",
      fetched: 1,
      written: 1,
      bodies: { asked: 1, answered: 1, resolved: 1 },
      art: { applied: 1, derived: 1 },
    });
    expect(await art.post(importing)).toMatchObject({ status: "unchanged" });
  });

  it("fetches only the picture that changed, after the status has reported the change", async () => {
    await art.post(importing);
    const [before, other] = [await pictureOf("body:400"), await pictureOf("body:401")];
    trigger("redrawn", { keys: ["body:400", "item:3922"] });
    expect(await art.get(status)).toMatchObject({ drift: true, code: "SOURCE_CHANGED" });
    expect(await art.post(importing)).toMatchObject({ status: "imported", fetched: 1, written: 1 });
    expect(await pictureOf("body:400")).not.toEqual(before);
    expect(await pictureOf("body:401")).toEqual(other);
    expect(await art.get(status)).toMatchObject({ drift: false, code: null });
    const orphans = await art.shard.server.context.models.AssetImage.findAll({
      include: [{ association: "assets", attributes: [] }],
      attributes: ["hash"],
      where: { "$assets.key$": null },
    });
    expect(orphans).toEqual([]);
  });

  it("fetches all pictures again if forced, and writes none that is unchanged", async () => {
    const first = await art.post(importing);
    expect(await art.post(importing, { force: true })).toEqual({
      ...first,
      status: "imported",
      written: 0,
    });
  });

  it("asks for a review when picture keys have vanished, and changes nothing until an administrator approves", async () => {
    await art.post(importing);
    const before = await art.get(status);
    trigger("sourceChanged", { source: "assets", after: 1 });
    expect(await art.post(importing, { force: true })).toMatchObject({
      status: "unavailable",
      code: "SOURCE_CHANGED",
    });
    const review = await art.post(importing);
    expect(review).toEqual({
      ...blank,
      status: "needsReview",
      reason: "1 of the stored pictures no longer exist on the shard",
      code: null,
      catalog: aHash,
      extractorVersion: 3,
      assets: (await keys()) - 1,
      fetched: 0,
      written: 0,
      absent: 0,
      unsupported: 0,
      scanned: (await keys()) - 1,
      pages: 1,
      playerBodies,
      vanished: ["body:400"],
      vanishedCount: 1,
    });
    expect((await art.get(status))["loaded"]).toEqual(before["loaded"]);
    expect(await pictureOf("body:400")).toEqual(aHash);
    expect(await art.post(importing)).toEqual(review);
    const approved = await art.post(importing, { approve: true });
    expect(approved).toMatchObject({ status: "imported", removed: 1, fetched: 0, written: 0 });
    expect(approved).not.toHaveProperty("vanished");
    expect(await pictureOf("body:400")).toBeUndefined();
    expect(await art.post(importing)).toMatchObject({ status: "unchanged" });
  });

  it("is shown as due by the status before the first import", async () => {
    const nothing = { assets: 0, stored: 0, creatures: 0, resolved: 0, items: 0, land: 0 };
    expect(await art.get(status)).toMatchObject({
      loaded: { ...nothing, catalog: null, extractorVersion: null, importedAt: null },
      drift: true,
      reason: null,
      code: null,
    });
    trigger("incomplete", { source: "assets" });
    expect(await art.get(status)).toMatchObject({
      shard: { complete: false },
      code: "UNAVAILABLE",
    });
  });

  it("refuses a list of pictures that names a key twice, even if its count is right", async () => {
    const { sequelize } = art.shard.server.context;
    const whileHeld: ImportRun["withLease"] = (work) => inTransaction(sequelize, work);
    const stage = await AssetStage.open({ withLease: whileHeld }, sequelize);
    const hash = "0".repeat(64);
    await stage.addKeys([["body:1", hash]]);
    const again = stage.addKeys([
      ["body:2", hash],
      ["body:1", hash],
    ]);
    await expect(again).rejects.toMatchObject({ code: "MALFORMED" });
  });

  it("names fifty of the vanished keys in numeric order, and counts all of them", async () => {
    await art.post(importing);
    const gone = Array.from({ length: 70 }, (_, at) => `land:${20_001 + at}`);
    await Promise.all(gone.map((key) => buildAsset(art.shard.server, { key })));
    const review = await art.post(importing, { force: true });
    const named = gone.slice(0, 50);
    expect(review).toMatchObject({ status: "needsReview", vanishedCount: 70, vanished: named });
    expect(await art.post(importing, { force: true, approve: true })).toMatchObject({
      status: "imported",
      removed: 70,
    });
  });

  it("asks for another review about keys that vanished after the first review", async () => {
    await art.post(importing);
    await plant(20_001);
    // The next request approves removals, but no review has reported the vanished key yet.
    const first = { status: "needsReview", vanished: ["land:20001"] };
    expect(await art.post(importing, { force: true, approve: true })).toMatchObject(first);
    await plant(20_002);
    const review = await art.post(importing, { force: true, approve: true });
    const vanished = ["land:20001", "land:20002"];
    expect(review).toMatchObject({ status: "needsReview", vanished, vanishedCount: 2 });
    expect(review).not.toHaveProperty("removed");
    const approved = await art.post(importing, { force: true, approve: true });
    expect(approved).toMatchObject({ status: "imported", removed: 2 });
  });

  it("keeps the pictures that an operator chose, and reports if one of these pictures is gone", async () => {
    await art.plantCreatures(["Orc", "Balron"]);
    await chooseArt(art.shard.server, "orc", "body:401");
    expect((await art.post(importing))["art"]).toEqual({
      applied: 2,
      derived: 2,
      operator: 1,
      error: null,
    });
    const chosen = await art.shard.server.context.models.CreatureArt.findByPk("orc", { raw: true });
    expect(chosen).toEqual({ typeKey: "orc", derivedKey: "body:17", operatorKey: "body:401" });
    await chooseArt(art.shard.server, "orc", "body:9999");
    expect((await art.post(importing, { force: true }))["art"]).toEqual({
      applied: 0,
      derived: 2,
      operator: 1,
      error: "The site has not stored the pictures that were chosen for orc",
    });
  });

  it("fetches only the families of pictures that the shard serves, and the other families once the shard serves them", async () => {
    trigger("families", { families: ["body"] });
    expect(await art.post(importing)).toMatchObject({
      status: "imported",
      fetched: playerBodies.length,
      unsupported: 0,
    });
    expect(await art.get(status)).toMatchObject({ shard: { families: ["body"] }, drift: false });
    art.shard.simulator.faults.clear();
    expect(await art.get(status)).toMatchObject({ drift: true });
    expect(await art.post(importing)).toMatchObject({ fetched: smallWorld.land });
  });

  it("uses the stored body ids of creature types if the shard cannot look up body ids", async () => {
    await art.plantCreatures(["Orc"]);
    await changeCreatures(art.shard.server, { status: "ok", body: 17 });
    trigger("status", { path: "/v1/bodies/resolve", status: 422, code: "UNSUPPORTED" });
    expect(await art.post(importing)).toMatchObject({
      status: "imported",
      fetched: playerBodies.length + 1 + smallWorld.land,
      bodies: { ...noBodies, asked: 1, reason: expect.stringMatching(/./) },
      art: { applied: 1, derived: 1, operator: 0, error: null },
    });
  });

  it("refuses a caller who is not an administrator, and a flag that is not a boolean", async () => {
    const moderator = await signIn(art.shard.server, { role: "moderator" });
    const { shard } = art;
    expect(await shard.as(null, `POST ${importing}`, { body: {} })).toMatchObject({ status: 401 });
    for (const route of [`GET ${status}`, `POST ${importing}`]) {
      expect(await shard.as(moderator, route)).toMatchObject({
        status: 403,
        body: { error: "Admin role required" },
      });
    }
    expect(
      await shard.as(art.admin, `POST ${importing}`, { body: { force: "yes" } }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ path: "force", message: "force must be a boolean" }] },
    });
  });
});

describe("POST /admin/shard/assets/import, when the shard cannot be read", () => {
  it("answers DISABLED without a call while the link is off", async () => {
    await changeSidecarLink(art.shard.server, { enabled: false });
    expect(await art.post(importing)).toEqual({ ...blank, code: "DISABLED" });
    expect(await art.get(status)).toMatchObject({
      shard: null,
      drift: null,
      code: "DISABLED",
      reason: expect.stringMatching(/link/),
    });
    expect(countShardCalls(art, "/v1/assets")).toBe(0);
  });

  it("answers NO_SOURCE without a call while the link is set to protocol 7", async () => {
    await changeSidecarLink(art.shard.server, { protocol: 7 });
    await art.shard.server.context.shard.reload();
    expect(await art.post(importing)).toEqual({ ...blank, code: "NO_SOURCE" });
    expect(await art.get(status)).toMatchObject({ shard: null, drift: null, code: "NO_SOURCE" });
    expect(countShardCalls(art, "/v1/assets")).toBe(0);
  });

  it("answers UNAVAILABLE without a worker, and names the process to start", async () => {
    await deleteAll(art.shard.server, "ServiceProcess");
    expect(await art.post(importing)).toEqual({
      ...blank,
      code: "UNAVAILABLE",
      reason: expect.stringMatching(/jobs\/worker\.ts/),
    });
  });

  it("answers NO_IMAGING with the shard's own reason", async () => {
    trigger("noImaging");
    const said = { code: "NO_IMAGING", reason: "libgdiplus not found" };
    expect(await art.post(importing)).toEqual({ ...blank, ...said });
    expect(await art.get(status)).toMatchObject({
      ...said,
      shard: { imaging: { ok: false, ...said } },
    });
  });

  it("answers BUSY while the shard is hashing its pictures, and the status reports that too", async () => {
    trigger("hashing", { source: "assets" });
    expect(await art.post(importing)).toEqual({ ...blank, code: "BUSY" });
    expect(await art.get(status)).toMatchObject({
      shard: { hashing: true },
      drift: null,
      code: "BUSY",
    });
  });

  it.each([
    ["SHARD_DOWN", { status: 503, code: "SHARD_DOWN" }, "SHARD_DOWN"],
    ["UNAVAILABLE", { status: 500, code: "INTERNAL" }, "UNAVAILABLE"],
    ["DISABLED", { status: 422, code: "DISABLED" }, "DISABLED"],
    ["NO_SOURCE", { status: 422, code: "NO_SOURCE" }, "NO_SOURCE"],
    ["NO_SOURCE", { status: 422, code: "UNSUPPORTED" }, "NO_SOURCE"],
    ["BUSY", { status: 409, code: "BUSY" }, "BUSY"],
    ["MALFORMED", { status: 418, code: "TEAPOT" }, "UNAVAILABLE"],
  ])(
    "answers %s if the request for the manifest fails with %j",
    async (code, answered, ofStatus) => {
      trigger("status", { path: "/v1/assets", times: 2, ...answered });
      expect(await art.post(importing)).toEqual({ ...blank, code });
      expect(await art.get(status)).toMatchObject({ shard: null, drift: null, code: ofStatus });
    },
  );

  it("answers PROTOCOL if the sidecar refuses the token or the protocol", async () => {
    for (const fault of ["protocol", "unauthorized"] as const) {
      trigger(fault, { path: "/v1/assets", times: 2 });
      expect(await art.post(importing)).toEqual({ ...blank, code: "PROTOCOL" });
      expect(await art.get(status)).toMatchObject({ shard: null, code: "PROTOCOL" });
    }
  });

  it.each([
    ["STUCK", () => trigger("stuckCursor", { source: "assets" })],
    ["INCOMPLETE", () => trigger("wrongCounts", { source: "assets" })],
    ["INCOMPLETE", () => trigger("incomplete", { source: "assets" })],
    ["BUSY", () => trigger("hashing", { source: "assets", after: 2 })],
    ["SOURCE_CHANGED", () => trigger("sourceChanged", { source: "assets" })],
    ["MALFORMED", () => trigger("badPage", { source: "assets" })],
    ["MALFORMED", () => trigger("html", { path: "/v1/assets/keys" })],
    ["TOO_LARGE", () => trigger("oversize", { path: "/v1/assets/keys" })],
    ["TOO_LARGE", () => trigger("wrongCounts", { source: "assets", by: 2_000_000 })],
    ["UNAVAILABLE", () => trigger("status", { path: "/v1/assets/keys" })],
    ["MALFORMED", () => trigger("badImage", { form: "hash" })],
    ["MALFORMED", () => trigger("badImage", { form: "bytes" })],
    ["MALFORMED", () => trigger("badImage", { form: "mime" })],
    ["MALFORMED", () => trigger("rubbish", { path: images })],
    ["NO_IMAGING", () => trigger("status", { path: images, status: 422, code: "NO_IMAGING" })],
    ["SHARD_DOWN", () => trigger("cut", { path: images })],
    ["SHARD_DOWN", () => trigger("status", { path: images, status: 503, code: "SHARD_DOWN" })],
  ])(
    "answers %s for a fault during the import (%#), and keeps the loaded pictures",
    async (code, fault) => {
      await art.post(importing);
      const { loaded } = await art.get(status);
      const shown = await assetsOf(art.shard.server);
      fault();
      expect(await art.post(importing, { force: true })).toMatchObject({
        status: "unavailable",
        code,
        reason: expect.stringMatching(/./),
      });
      art.shard.simulator.faults.clear();
      expect((await art.get(status))["loaded"]).toEqual(loaded);
      expect(await assetsOf(art.shard.server)).toEqual(shown);
      expect(await countStagedRows(art.shard.server, "asset_stage")).toBe(0);
    },
  );

  it("answers SHARD_DOWN if the sidecar vanishes midway, and a later import completes", async () => {
    trigger("hold", { path: images });
    const asked = art.post(importing);
    await waitUntil("pictures are asked for", () => countShardCalls(art, images) > 0);
    trigger("vanish", { ms: 0 });
    expect(await asked).toMatchObject({ status: "unavailable", code: "SHARD_DOWN", written: null });
    expect((await art.get(status))["loaded"]).toMatchObject({
      assets: 0,
      stored: 0,
      catalog: null,
    });
    await art.shard.simulator.comeBack();
    expect(await art.post(importing)).toMatchObject({ status: "imported" });
  });
});
