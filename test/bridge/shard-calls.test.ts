import { createHash } from "node:crypto";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { serviceActor } from "../../shared/platform/bridge/calls/call.ts";
import {
  type ControlClient,
  createControlClient,
} from "../../shared/platform/bridge/calls/control.ts";
import * as accountCalls from "../../shared/shard/calls/account-calls.ts";
import { walkAssetKeys } from "../../shared/shard/calls/asset-calls.ts";
import { fetchImages } from "../../shared/shard/calls/asset-images.ts";
import { walkAtlas } from "../../shared/shard/calls/atlas-calls.ts";
import { fetchCreatureBodies, resolveBodiesCall } from "../../shared/shard/calls/body-calls.ts";
import { walkClilocs } from "../../shared/shard/calls/cliloc-calls.ts";
import * as staffCalls from "../../shared/shard/calls/staff-calls.ts";
import { type StubAnswer, startCallServer } from "./call-server.ts";
import { page, region, rosterLine, sheet, spawner, vendor } from "./shard-answers.ts";

const calls = { ...accountCalls, ...staffCalls };

let server: Awaited<ReturnType<typeof startCallServer>>;
let control: ControlClient;

const order = { actor: serviceActor };
const asked = () => server.calls.map(({ method, url, text }) => `${method} ${url} ${text}`.trim());

function answerBy(answers: Record<string, StubAnswer["body"]>): void {
  server.answer(({ url }) => {
    const body = answers[url.replace("/bridge", "").replace(/\?.*/, "")];
    return body === undefined ? { status: 404 } : { body };
  });
}

const answerImages = (images: object[], absent: string[] = [], unsupported: string[] = []): void =>
  answerBy({ "/v1/assets/images": { catalog: "c1", images, absent, unsupported } });

const sha = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const sent = (key: string, bytes: Buffer, mime: string, sha256 = sha(bytes)) => ({
  key,
  sha256,
  mime,
  data: bytes.toString("base64"),
});

const ignore = () => undefined;

function connect(protocol: number): void {
  control = createControlClient({ baseUrl: server.baseUrl, token: "s3cret", protocol });
}

beforeEach(async () => {
  server = await startCallServer();
  connect(8);
});

afterEach(async () => {
  control.close();
  await server.close();
});

describe("The shard's calls", () => {
  it("use the method, path and body of the bridge protocol", async () => {
    const done = { ok: true, id: "p1", kicked: 1 };
    answerBy({
      "/v1/health": {
        protocol: 8,
        pluginConnected: true,
        bootId: null,
        uptimeSec: 1.5,
        capabilities: ["links"],
      },
      "/v1/accounts": { account: "maple", linked: true },
      "/v1/signup-mode": { mode: "hybrid" },
      "/v1/links/redeem": { account: "maple", access: "Player", linkedAt: 1 },
      "/v1/links": { links: [{ account: "maple", userId: 7, linkedAt: 1 }] },
      "/v1/links/maple%20leaf": { account: "maple leaf", unlinked: true },
      "/v1/kick": done,
      "/v1/ban": done,
      "/v1/unban": done,
      "/v1/broadcast": done,
      "/v1/towncrier": { entries: [], id: "t1", lines: ["Hear ye"], expiresAt: 5 },
      "/v1/towncrier/t1": { id: "t1", removed: true },
      "/v1/pages": { pages: [page] },
      "/v1/pages/p1/respond": done,
      "/v1/pages/p1/close": done,
      "/v1/champions/0x40004D21/start": done,
      "/v1/champions/0x40004D21/stop": done,
    });
    const champion = { params: { id: "0x40004D21" } };
    const answers = [
      await control.read(calls.healthCall),
      await control.command(calls.createAccountCall, order, {
        body: { account: "maple", password: "pw", ip: "203.0.113.9" },
      }),
      await control.read(calls.getSignupModeCall),
      await control.command(calls.setSignupModeCall, order, { body: { mode: "game" } }),
      await control.command(calls.redeemLinkCall, order, { body: { code: "AB12" } }),
      await control.read(calls.listLinksCall),
      await control.command(calls.unlinkCall, order, { params: { account: "maple leaf" } }),
      await control.command(calls.kickCall, order, { body: { account: "maple" } }),
      await control.command(calls.banCall, order, {
        body: { serial: "0x0000A001", durationSec: 60 },
      }),
      await control.command(calls.unbanCall, order, { body: { account: "maple" } }),
      await control.command(calls.broadcastCall, order, { body: { text: "Hi", hue: 53 } }),
      await control.read(calls.listTownCrierCall),
      await control.command(calls.addTownCrierCall, order, {
        body: { lines: ["Hear ye"], durationSec: 60 },
      }),
      await control.command(calls.removeTownCrierCall, order, { params: { id: "t1" } }),
      await control.read(calls.listHelpPagesCall),
      await control.command(calls.respondToHelpPageCall, order, {
        params: { id: "p1" },
        body: { message: "On my way", close: true },
      }),
      await control.command(calls.closeHelpPageCall, order, { params: { id: "p1" } }),
      await control.command(calls.startChampionCall, order, champion),
      await control.command(calls.stopChampionCall, order, champion),
    ];
    expect(asked()).toEqual([
      "GET /bridge/v1/health",
      'POST /bridge/v1/accounts {"account":"maple","password":"pw","ip":"203.0.113.9"}',
      "GET /bridge/v1/signup-mode",
      'PUT /bridge/v1/signup-mode {"mode":"game"}',
      'POST /bridge/v1/links/redeem {"code":"AB12"}',
      "GET /bridge/v1/links",
      "DELETE /bridge/v1/links/maple%20leaf",
      'POST /bridge/v1/kick {"account":"maple"}',
      'POST /bridge/v1/ban {"serial":"0x0000A001","durationSec":60}',
      'POST /bridge/v1/unban {"account":"maple"}',
      'POST /bridge/v1/broadcast {"text":"Hi","hue":53}',
      "GET /bridge/v1/towncrier",
      'POST /bridge/v1/towncrier {"lines":["Hear ye"],"durationSec":60}',
      "DELETE /bridge/v1/towncrier/t1",
      "GET /bridge/v1/pages",
      'POST /bridge/v1/pages/p1/respond {"message":"On my way","close":true}',
      "POST /bridge/v1/pages/p1/close",
      "POST /bridge/v1/champions/0x40004D21/start",
      "POST /bridge/v1/champions/0x40004D21/stop",
    ]);
    expect(answers).toEqual([
      expect.objectContaining({ protocol: 8, capabilities: ["links"] }),
      { account: "maple", linked: true },
      { mode: "hybrid" },
      { mode: "hybrid" },
      { account: "maple", access: "Player", linkedAt: 1 },
      { links: [{ account: "maple", userId: 7, linkedAt: 1 }] },
      { account: "maple leaf", unlinked: true },
      done,
      done,
      done,
      done,
      { entries: [] },
      { id: "t1", lines: ["Hear ye"], expiresAt: 5 },
      { id: "t1", removed: true },
      { pages: [page] },
      done,
      done,
      done,
      done,
    ]);
  });

  it("request snapshots and accept an answer without a body", async () => {
    server.answer({ status: 202, text: "" });
    const body = { families: ["market", "house"] };
    expect(await control.command(calls.resyncCall, order, { body })).toEqual({});
    expect(asked()).toEqual(['POST /bridge/v1/resync {"families":["market","house"]}']);
  });

  it("read rosters, vendors and characters, and reject an answer with an invalid serial", async () => {
    const roster = { account: "maple", characters: [rosterLine] };
    const { region: _region, house: _house, ...nearby } = vendor.location;
    const otherwise = { ...vendor, location: nearby, items: [{ serial: "0x40000001", price: 5 }] };
    const vendors = {
      account: "maple",
      vendors: [vendor, otherwise, { ...vendor, location: null }],
    };
    answerBy({
      "/v1/accounts/maple/roster": roster,
      "/v1/accounts/maple/vendors": vendors,
      "/v1/characters/0x0000A001": sheet,
      "/v1/characters/0xFFFFFFFF": { ...sheet, serial: "0xFFFFFFFF" },
    });
    const params = { account: "maple" };
    expect(await control.read(calls.getRosterCall, { params })).toEqual(roster);
    expect(await control.read(calls.getVendorsCall, { params })).toEqual(vendors);
    const own = { params: { serial: "0x0000A001" } };
    expect(await control.read(calls.getCharacterCall, own)).toEqual(sheet);
    const none = control.read(calls.getCharacterCall, { params: { serial: "0xFFFFFFFF" } });
    await expect(none).rejects.toMatchObject({ code: "MALFORMED" });
  });
});

describe("A link with protocol 7", () => {
  it("rejects calls that need protocol 8 without a request", async () => {
    connect(7);
    const params = { id: "0x40004D21" };
    await expect(control.command(calls.startChampionCall, order, { params })).rejects.toMatchObject(
      {
        kind: "upstream",
        code: "UNSUPPORTED",
      },
    );
    await expect(control.command(calls.stopChampionCall, order, { params })).rejects.toMatchObject({
      code: "UNSUPPORTED",
    });
    expect(await walkClilocs(control, ignore)).toMatchObject({ ok: false, code: "NO_SOURCE" });
    expect(await walkAssetKeys(control, ignore)).toMatchObject({ ok: false, code: "NO_SOURCE" });
    expect(await walkAtlas(control, ignore)).toMatchObject({ ok: false, code: "DISABLED" });
    await expect(fetchImages(control, ["body:17"])).rejects.toMatchObject({ code: "NO_SOURCE" });
    const bodies = control.read(resolveBodiesCall, { body: { types: ["orc"] } });
    await expect(bodies).rejects.toMatchObject({ code: "NO_SOURCE" });
    expect(server.calls).toEqual([]);
  });
});

describe("walkClilocs", () => {
  const manifest = {
    size: 3_764_293,
    mtime: 1_764_200_000_000,
    sha256: "a".repeat(64),
    extractorVersion: 2,
    hashing: false,
    complete: true,
    entries: 3,
  };

  it("reads the table in pages of 500, and its manifest before the first page and after the last", async () => {
    const taken: unknown[] = [];
    server.answer(({ url }) => {
      if (url.endsWith("/v1/clilocs")) return { body: manifest };
      const isFirst = !url.includes("cursor=");
      const entries = isFirst
        ? [
            [500_000, "First"],
            [500_001, ""],
          ]
        : [[1_041_361, "a check"]];
      return { body: { sha256: manifest.sha256, entries, next: isFirst ? "500001" : null } };
    });
    const result = await walkClilocs(control, (entries) => void taken.push(...entries));
    expect(result).toEqual({ ok: true, manifest, records: 3, pages: 2 });
    expect(taken).toEqual([
      [500_000, "First"],
      [500_001, ""],
      [1_041_361, "a check"],
    ]);
    expect(asked()).toEqual([
      "GET /bridge/v1/clilocs",
      "GET /bridge/v1/clilocs/entries?limit=500",
      "GET /bridge/v1/clilocs/entries?cursor=500001&limit=500",
      "GET /bridge/v1/clilocs",
    ]);
  });

  it.each([
    ["a number in text", [["500000", "First"]]],
    ["a number beyond the client's range", [[2 ** 31, "First"]]],
    ["null in place of a text", [[500_000, null]]],
    ["three parts in a row", [[500_000, "First", 0]]],
    ["too many rows", Array.from({ length: 5_001 }, (_, at) => [at, ""])],
  ])("rejects a page with %s as MALFORMED", async (_, entries) => {
    answerBy({
      "/v1/clilocs": manifest,
      "/v1/clilocs/entries": { sha256: manifest.sha256, entries, next: null },
    });
    expect(await walkClilocs(control, ignore)).toMatchObject({
      ok: false,
      code: "MALFORMED",
    });
  });
});

describe("walkAssetKeys", () => {
  const manifest = {
    catalog: "c1",
    files: 12,
    extractorVersion: 2,
    hashing: false,
    complete: true,
    keys: 4,
    imaging: { ok: true, code: null, reason: null },
    families: ["body", "item", "land"],
    playerBodies: [400, 401],
  };
  const hash = "0".repeat(64);

  it("reads all keys with the hashes of their images", async () => {
    const keys = ["body:17", "item:3922", "item:3922:1153", "land:3"].map((key) => [key, hash]);
    answerBy({
      "/v1/assets": manifest,
      "/v1/assets/keys": { catalog: "c1", keys, next: null },
    });
    const taken: unknown[] = [];
    const result = await walkAssetKeys(control, (rows) => void taken.push(...rows));
    expect(result).toEqual({ ok: true, manifest, records: 4, pages: 1 });
    expect(taken).toEqual(keys);
  });

  it.each([["item:0x0F52"], ["../item:1"], ["item"], ["item:1:2:3"]])(
    "rejects a page with the key %j as MALFORMED",
    async (key) => {
      answerBy({
        "/v1/assets": manifest,
        "/v1/assets/keys": { catalog: "c1", keys: [[key, hash]], next: null },
      });
      expect(await walkAssetKeys(control, ignore)).toMatchObject({ code: "MALFORMED" });
    },
  );
});

describe("fetchImages", () => {
  const png = Buffer.from("\x89PNG\r\n\x1a\npicture", "latin1");
  const webp = Buffer.from("RIFF\x10\0\0\0WEBPVP8 picture", "latin1");
  it("returns the images whose hashes match, and lists absent and unsupported images", async () => {
    answerImages(
      [sent("body:17", png, "png"), sent("item:1", webp, "webp")],
      ["land:3"],
      ["gump:4"],
    );
    const keys = ["body:17", "item:1", "land:3", "gump:4"];
    expect(await fetchImages(control, keys)).toEqual({
      catalog: "c1",
      images: [
        { key: "body:17", sha256: sha(png), mime: "image/png", bytes: png },
        { key: "item:1", sha256: sha(webp), mime: "image/webp", bytes: webp },
      ],
      absent: ["land:3"],
      unsupported: ["gump:4"],
    });
    expect(server.calls[0]?.headers).not.toHaveProperty("x-bridge-actor");
  });

  it.each([
    ["with another hash", [sent("body:17", png, "png", "0".repeat(64))], []],
    ["that is no PNG", [sent("body:17", webp, "png")], []],
    ["that is no WebP", [sent("body:17", png, "webp")], []],
    ["of a kind that is not served", [sent("body:17", png, "svg")], []],
    ["that was not asked for", [sent("body:18", png, "png")], []],
    ["that comes twice", [sent("body:17", png, "png")], ["body:17"]],
  ])("rejects an image %s", async (_, images, absent) => {
    answerImages(images, absent);
    await expect(fetchImages(control, ["body:17"])).rejects.toMatchObject({ code: "MALFORMED" });
  });
});

describe("resolveBodies", () => {
  it("sends creature types as a read, without an idempotency key, and returns the body of each", async () => {
    const answers = [
      { type: "Orc", status: "ok", body: 17 },
      { type: "OrcCamp", status: "notCreature", body: null },
    ];
    answerBy({ "/v1/bodies/resolve": { answers } });
    const body = { types: ["Orc", "OrcCamp"] };
    expect(await control.read(resolveBodiesCall, { body })).toEqual({ answers });
    expect(server.calls[0]?.headers).not.toHaveProperty("idempotency-key");
  });

  const orc = { type: "orc", status: "ok", body: 17 };
  it.each([
    ["about a type that was not asked for", [{ ...orc, type: "Imp" }]],
    ["about one type twice", [orc, { ...orc, type: "ORC" }]],
    ["with a body that no picture can have", [{ ...orc, body: 65_536 }]],
    ["with a body that no column holds", [{ ...orc, status: "failed", body: 2 ** 40 }]],
  ])("rejects an answer %s", async (_, answers) => {
    answerBy({ "/v1/bodies/resolve": { answers } });
    await expect(fetchCreatureBodies(control, ["Orc"])).rejects.toMatchObject({
      code: "MALFORMED",
    });
  });

  it("drops the body of a type that is not a creature", async () => {
    const answers = [orc, { type: "OrcCamp", status: "notCreature", body: 17 }];
    answerBy({ "/v1/bodies/resolve": { answers } });
    expect(await fetchCreatureBodies(control, ["Orc", "OrcCamp"])).toEqual([
      orc,
      { type: "OrcCamp", status: "notCreature", body: null },
    ]);
  });
});

describe("walkAtlas", () => {
  const manifest = {
    sha256: "b".repeat(64),
    files: [{ path: "Data/Regions.xml", size: 125_944, sha256: "c".repeat(64) }],
    counts: { regions: 1, spawners: 1 },
    hashing: false,
    complete: true,
  };

  it("reads regions and spawners, and compares their numbers with the counts of the manifest", async () => {
    const records = { sha256: manifest.sha256, regions: [region], spawners: [spawner], next: null };
    answerBy({ "/v1/atlas": manifest, "/v1/atlas/records": records });
    const taken: unknown[] = [];
    const result = await walkAtlas(control, (rows) => void taken.push(rows));
    expect(result).toEqual({ ok: true, manifest, records: 2, pages: 1 });
    expect(taken).toEqual([{ regions: [region], spawners: [spawner] }]);

    answerBy({
      "/v1/atlas": { ...manifest, counts: { regions: 2, spawners: 0 } },
      "/v1/atlas/records": records,
    });
    expect(await walkAtlas(control, ignore)).toMatchObject({ code: "INCOMPLETE" });
  });

  it.each([
    ["a region without rectangles", { regions: [{ ...region, rects: null }], spawners: [] }],
    ["a spawner between tiles", { regions: [], spawners: [{ ...spawner, x: 1.5 }] }],
    ["a spawner without entries", { regions: [], spawners: [{ ...spawner, entries: undefined }] }],
  ])("rejects a page with %s as MALFORMED", async (_, rows) => {
    const records = { sha256: manifest.sha256, ...rows, next: null };
    answerBy({ "/v1/atlas": manifest, "/v1/atlas/records": records });
    expect(await walkAtlas(control, ignore)).toMatchObject({ code: "MALFORMED" });
  });
});
