import { artFamilies, playerBodies, readAssetKey } from "../sources/assets.ts";
import { resolveCreatureBody } from "../sources/creatures.ts";
import { sha256 } from "../sources/source.ts";
import { objectBody, readTextList } from "./input.ts";
import { createOkAnswer, refuse } from "./refusal.ts";
import type { ControlAnswer } from "./refusal.ts";
import { read } from "./route.ts";
import type { ControlRoute, Shard } from "./route.ts";
import { manifestState, readPage } from "./walk.ts";

/**
 * The version of the extractor. It increases when the extractor returns other data for the same
 * files.
 */
const extractorVersion = 3;

/** A row that no schema accepts. A fault makes pages contain it. */
const badRow = { "": null };

export const sourceRoutes: readonly ControlRoute[] = [
  read("GET", "/v1/clilocs", 8, (_, shard) => createOkAnswer(clilocManifest(shard))),
  read("GET", "/v1/clilocs/entries", 8, ({ query }, { clilocs, standing }) => {
    const page = readPage(clilocs, query, standing, "clilocs");
    const entries = page.spoiled ? [badRow, ...page.rows] : page.rows;
    return createOkAnswer({ sha256: page.fingerprint, entries, next: page.next });
  }),
  read("GET", "/v1/assets", 8, (_, shard) => createOkAnswer(assetManifest(shard))),
  read("GET", "/v1/assets/keys", 8, ({ query }, { assets, standing }) => {
    const page = readPage(assets, query, standing, "assets");
    const rows = page.rows.map((key) => [key, assets.hashOf(key)]);
    const keys = page.spoiled ? [badRow, ...rows] : rows;
    return createOkAnswer({ catalog: page.fingerprint, keys, next: page.next });
  }),
  read("POST", "/v1/assets/images", 8, ({ body }, shard) => images(body, shard)),
  read("POST", "/v1/bodies/resolve", 8, ({ body }) => {
    const types = readTextList(objectBody(body), "types", { least: 1, most: 500, longest: 128 });
    return createOkAnswer({ answers: types.map(resolveCreatureBody) });
  }),
  read("GET", "/v1/atlas", 8, (_, shard) => createOkAnswer(atlasManifest(shard))),
  read("GET", "/v1/atlas/records", 8, ({ query }, { atlas, standing }) => {
    const page = readPage(atlas, query, standing, "atlas");
    const regions: unknown[] = page.rows.flatMap(({ region }) => region ?? []);
    const spawners = page.rows.flatMap(({ spawner }) => spawner ?? []);
    if (page.spoiled) regions.push(badRow);
    return createOkAnswer({ sha256: page.fingerprint, regions, spawners, next: page.next });
  }),
];

function clilocManifest({ clilocs, standing, clock }: Shard): Record<string, unknown> {
  const { fingerprint, hashing, complete, miscount } = manifestState(clilocs, standing, "clilocs");
  return {
    size: clilocs.rows.reduce((sum, [, line]) => sum + 7 + Buffer.byteLength(line), 6),
    mtime: dayOf(clock()),
    sha256: fingerprint,
    extractorVersion,
    hashing,
    complete,
    entries: clilocs.rows.length + miscount,
  };
}

function assetManifest({ assets, standing }: Shard): Record<string, unknown> {
  const { fingerprint, hashing, complete, miscount } = manifestState(assets, standing, "assets");
  return {
    catalog: fingerprint,
    files: 14,
    extractorVersion,
    hashing,
    complete,
    keys: assets.rows.length + miscount,
    imaging: standing.noImaging
      ? { ok: false, code: "NO_IMAGING", reason: "libgdiplus not found" }
      : { ok: true, code: null, reason: null },
    families: standing.families ?? artFamilies,
    playerBodies,
  };
}

function atlasManifest({ atlas, standing }: Shard): Record<string, unknown> {
  const { fingerprint, hashing, complete, miscount } = manifestState(atlas, standing, "atlas");
  const { regions, spawners } = atlas.counts;
  return {
    sha256: fingerprint,
    files: atlas.files(),
    counts: { regions, spawners: spawners + miscount },
    hashing,
    complete,
  };
}

function images(body: unknown, { assets, standing }: Shard): ControlAnswer {
  const keys = readTextList(objectBody(body), "keys", { least: 1, most: 200, longest: 64 });
  if (standing.noImaging) throw refuse(422, "NO_IMAGING", { reason: "libgdiplus not found" });
  const found: Record<string, unknown>[] = [];
  const absent: string[] = [];
  const unsupported: string[] = [];
  for (const name of keys) {
    const key = readAssetKey(name);
    const served = key !== undefined && (standing.families ?? artFamilies).includes(key.family);
    const bytes = served ? assets.image(key) : undefined;
    if (!served) unsupported.push(name);
    else if (bytes === undefined) absent.push(name);
    else found.push(imageOf(name, bytes, standing.badImages));
  }
  return createOkAnswer({ catalog: assets.fingerprint(), images: found, absent, unsupported });
}

type BadImages = Shard["standing"]["badImages"];

function imageOf(key: string, bytes: Buffer, bad: BadImages): Record<string, unknown> {
  const image = {
    key,
    sha256: sha256(bytes),
    mime: "image/png",
    data: bytes.toString("base64"),
  };
  if (bad.left <= 0) return image;
  bad.left--;
  return { ...image, ...badImage(bad.form, bytes) };
}

function badImage(form: string, bytes: Buffer): Record<string, unknown> {
  if (form === "mime") return { mime: "image/svg+xml" };
  if (form === "base64") return { data: "*not base64*" };
  if (form === "bytes") return { data: bytes.subarray(0, 20).toString("base64") };
  return { sha256: sha256("something else") };
}

/** Returns the start of the day. The simulator states it as the time of the last change of the client's files. */
const dayOf = (now: number): number => now - (now % 86_400_000);
