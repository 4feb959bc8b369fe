import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";

import { afterEach, describe, expect, it } from "vitest";

import { callControl } from "./client.ts";
import type { Simulator } from "./simulator.ts";
import { createSimulatorPool } from "./starting.ts";

const { start, stopAll } = createSimulatorPool();
afterEach(stopAll);

type Row = Readonly<Record<string, unknown>>;

/** Reads all pages of a source, as the service does. */
async function walk(simulator: Simulator, path: string, field: string, limit: number) {
  const rows: unknown[] = [];
  let [cursor, pages] = ["", 0];
  for (;;) {
    const { body } = await callControl(simulator, "GET", `${path}?limit=${limit}${cursor}`);
    const page = body as Row;
    rows.push(...(page[field] as unknown[]));
    pages++;
    if (page["next"] === null) return { rows, pages };
    cursor = `&cursor=${encodeURIComponent(page["next"] as string)}`;
  }
}

describe("the sources of texts, pictures and the atlas", () => {
  it("provide the whole cliloc table, sorted, with the names of sold items", async () => {
    const simulator = await start();
    const manifest = (await callControl(simulator, "GET", "/v1/clilocs")).body as Row;
    expect(manifest).toEqual({
      size: expect.any(Number),
      mtime: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      extractorVersion: 3,
      hashing: false,
      complete: true,
      entries: 160,
    });
    const { rows, pages } = await walk(simulator, "/v1/clilocs/entries", "entries", 50);
    expect(rows).toHaveLength(160);
    expect(pages).toBe(4);
    const numbers = (rows as [number, string][]).map(([number]) => number);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    const texts = new Map(rows as [number, string][]);
    expect(texts.get(1_020_000 + 3_922)).toBe("dagger");
    expect(texts.get(1_020_000 + 3_962)).toBe("Black Pearl");
    expect([...texts.values()].some((text) => text === "")).toBe(true);
    expect([...texts.values()].some((text) => text.length > 12_000)).toBe(true);
    const sold = simulator.world.vendors.values().flatMap(({ items }) => items);
    const nameless = sold.filter(({ cliloc }) => cliloc !== null && !texts.has(cliloc));
    expect(nameless).toEqual([]);
  });

  it("provide every key of the catalog with the hash of a real image", async () => {
    const simulator = await start();
    const manifest = (await callControl(simulator, "GET", "/v1/assets")).body as Row;
    expect(manifest).toMatchObject({
      hashing: false,
      complete: true,
      imaging: { ok: true, code: null, reason: null },
      families: ["body", "item", "land"],
      playerBodies: expect.arrayContaining([400, 401, 605, 666]),
    });
    const { rows } = await walk(simulator, "/v1/assets/keys", "keys", 120);
    expect(rows).toHaveLength(manifest["keys"] as number);
    const hashes = new Map(rows as [string, string][]);
    const keys = ["body:17", "item:3922", "item:3922:1153", "land:3"];
    const absent = ["item:1", "body:2047"];
    const unsupported = ["gump:1", "body:17:5", "item:0x0F52"];
    const body = { keys: [...keys, ...absent, ...unsupported] };
    const answer = await callControl(simulator, "POST", "/v1/assets/images", { body });
    const { catalog, images, ...rest } = answer.body as { catalog: string; images: Row[] };
    expect(rest).toEqual({ absent, unsupported });
    expect(catalog).toBe(manifest["catalog"]);
    expect(images.map(({ key }) => key)).toEqual(keys);
    for (const { key, sha256, mime, data } of images) {
      const bytes = Buffer.from(data as string, "base64");
      expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
      expect(hashes.get(key as string)).toBe(sha256);
      expect(mime).toBe("image/png");
      expectPng(bytes);
    }
  });

  it("resolve creature types in any case", async () => {
    const simulator = await start();
    const body = { types: ["orc", "Orc", "TreasureLevel1", "set", "Savage", "BoneKnight"] };
    const { body: answer } = await callControl(simulator, "POST", "/v1/bodies/resolve", { body });
    expect(answer).toEqual({
      answers: [
        { type: "orc", status: "ok", body: 17 },
        { type: "Orc", status: "ok", body: 17 },
        { type: "TreasureLevel1", status: "notCreature", body: null },
        { type: "set", status: "unknown", body: null },
        { type: "Savage", status: "failed", body: null },
        { type: "BoneKnight", status: "ok", body: expect.any(Number) },
      ],
    });
  });

  it("provide as many atlas records as the manifest counts", async () => {
    const simulator = await start();
    const manifest = (await callControl(simulator, "GET", "/v1/atlas")).body as Row;
    expect(manifest).toEqual({
      sha256: expect.any(String),
      files: expect.arrayContaining([
        { path: "Data/Regions.xml", size: expect.any(Number), sha256: expect.any(String) },
      ]),
      counts: { regions: 24, spawners: 60 },
      hashing: false,
      complete: true,
    });
    const regions = (await walk(simulator, "/v1/atlas/records", "regions", 20)).rows as Row[];
    const spawners = (await walk(simulator, "/v1/atlas/records", "spawners", 20)).rows as Row[];
    expect([regions.length, spawners.length]).toEqual([24, 60]);
    expect(Object.keys(regions[0] ?? {}).toSorted()).toEqual(
      (
        "area entrance facet go guarded housing key level logoutDelay maxExpansion minExpansion " +
        "music name parent priority rects rune type"
      ).split(" "),
    );
    expect(Object.keys(spawners[0] ?? {}).toSorted()).toEqual(
      (
        "count entries facet homeRange key maxDelaySec minDelaySec name rect region running " +
        "source walkRange x y z"
      ).split(" "),
    );
    const keys = [...regions, ...spawners].map(({ key }) => key);
    expect(new Set(keys).size).toBe(84);
  });

  it.each([
    ["GET", "/v1/clilocs/entries?limit=5001", undefined, "limit"],
    ["GET", "/v1/clilocs/entries?limit=0", undefined, "limit"],
    ["GET", "/v1/atlas/records?cursor=5", undefined, "cursor"],
    ["POST", "/v1/assets/images", { keys: Array.from({ length: 201 }, () => "body:1") }, "keys"],
    ["POST", "/v1/bodies/resolve", { types: Array.from({ length: 501 }, () => "orc") }, "types"],
  ])("reject input that exceeds the limits (%s %s)", async (method, path, body, field) => {
    const simulator = await start();
    const answer = await callControl(simulator, method, path, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "INVALID", field } });
  });
});

/** Requires the parts of a PNG that browsers need. */
function expectPng(bytes: Buffer): void {
  expect(bytes.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const length = bytes.readUInt32BE(33);
  expect(bytes.subarray(37, 41).toString("latin1")).toBe("IDAT");
  const rows = inflateSync(bytes.subarray(41, 41 + length));
  expect(rows).toHaveLength(height * (width * 4 + 1));
  expect(bytes.subarray(-8, -4).toString("latin1")).toBe("IEND");
}
