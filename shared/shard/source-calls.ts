import { createHash } from "node:crypto";
import Joi from "joi";
import { read } from "../bridge/call.ts";
import { count, flag, listOf, text, textOrNull } from "./answer-parts.ts";
import { type AtlasRegion, atlasRegion, type AtlasSpawner, atlasSpawner } from "./atlas-records.ts";

// CATALOGUE of the shard's calls that read files: the client's texts and pictures, and the world's
// regions and spawners. All came with protocol 8.

const noSource = { protocol: 8, before: "NO_SOURCE" } as const;
const disabled = { protocol: 8, before: "DISABLED" } as const;

/** Lists of hashes and pictures take the shard longer than other calls. */
const slowMs = 60_000;

/** What one call may ask for at most. */
export const sourceLimits = { page: 5_000, images: 200, bodies: 500 } as const;

interface Page {
  readonly query: { readonly cursor: string | null; readonly limit: number };
}

const sha256 = Joi.string().pattern(/^[\da-f]{64}$/, "sha256");
const next = Joi.string().min(1).max(256).allow(null);

export interface ClilocManifest {
  readonly size: number;
  readonly mtime: number;
  /** Null while it is being made. */
  readonly sha256: string | null;
  readonly extractorVersion: number;
  readonly hashing: boolean;
  readonly complete: boolean;
  readonly entries: number;
}

export const getClilocManifest = read({
  method: "GET",
  path: "/v1/clilocs",
  since: noSource,
  answer: Joi.object<ClilocManifest, true>({
    size: count,
    mtime: count,
    sha256: sha256.allow(null),
    extractorVersion: count,
    hashing: flag,
    complete: flag,
    entries: count,
  }),
});

export type ClilocEntry = readonly [number: number, text: string];

interface ClilocPage {
  readonly sha256: string;
  readonly entries: ClilocEntry[];
  readonly next: string | null;
}

/** Pairs are checked by hand: a table has a hundred thousand of them. */
const pairsOf = <Pair>(isPair: (pair: unknown) => pair is Pair): Joi.ArraySchema<Pair[]> =>
  Joi.array<Pair[]>()
    .max(sourceLimits.page)
    .custom((pairs: unknown[], helpers) =>
      pairs.every(isPair) ? pairs : helpers.message({ custom: "{{#label}} holds an odd pair" }),
    );

const isClilocEntry = (pair: unknown): pair is ClilocEntry =>
  Array.isArray(pair) &&
  pair.length === 2 &&
  Number.isInteger(pair[0]) &&
  pair[0] >= 0 &&
  pair[0] < 2 ** 31 &&
  typeof pair[1] === "string";

export const getClilocEntries = read<ClilocPage, Page>({
  method: "GET",
  path: "/v1/clilocs/entries",
  since: noSource,
  answer: Joi.object<ClilocPage>({ sha256, entries: pairsOf(isClilocEntry), next }),
});

export interface AssetManifest {
  /** The hash of the list of keys; null while it is being made. */
  readonly catalog: string | null;
  readonly files: number;
  readonly extractorVersion: number;
  readonly hashing: boolean;
  readonly complete: boolean;
  readonly keys: number;
  readonly imaging: { ok: boolean; code: string | null; reason: string | null } | null;
  readonly families: string[];
  readonly playerBodies: number[];
}

const catalog = Joi.string().min(1).max(128);

export const getAssetManifest = read({
  method: "GET",
  path: "/v1/assets",
  since: noSource,
  answer: Joi.object<AssetManifest>({
    catalog: catalog.allow(null),
    files: count,
    extractorVersion: count,
    hashing: flag,
    complete: flag,
    keys: count,
    imaging: Joi.object({ ok: flag, code: textOrNull, reason: textOrNull }).allow(null),
    families: listOf(text),
    playerBodies: listOf(count),
  }),
});

export type AssetKey = readonly [key: string, sha256: string];

interface AssetKeyPage {
  readonly catalog: string;
  readonly keys: AssetKey[];
  readonly next: string | null;
}

const keyPattern = /^[a-z]{1,16}:\d{1,5}(?::\d{1,5})?$/;
const hashPattern = /^[\da-f]{64}$/;

const isAssetKey = (pair: unknown): pair is AssetKey =>
  Array.isArray(pair) &&
  pair.length === 2 &&
  typeof pair[0] === "string" &&
  keyPattern.test(pair[0]) &&
  typeof pair[1] === "string" &&
  hashPattern.test(pair[1]);

export const getAssetKeys = read<AssetKeyPage, Page>({
  method: "GET",
  path: "/v1/assets/keys",
  since: noSource,
  timeoutMs: slowMs,
  answer: Joi.object<AssetKeyPage>({ catalog, keys: pairsOf(isAssetKey), next }),
});
