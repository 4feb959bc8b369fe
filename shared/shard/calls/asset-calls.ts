import Joi from "joi";

import { read } from "../../bridge/call.ts";
import type { Control } from "../../bridge/control.ts";
import { walk, type WalkResult } from "../../bridge/walk.ts";
import { count, flag, listOf, text, textOrNull } from "../values/answer-parts.ts";
import {
  isSha256,
  nextCursor,
  type PageQuery,
  pageQuery,
  rowsOf,
  slowCallMs,
} from "./paged-calls.ts";

/** The client's pictures as the shard can give them. */
export interface AssetManifest {
  /** Stands for the list of keys; null while it is being made. */
  readonly catalog: string | null;
  readonly files: number;
  readonly extractorVersion: number;
  readonly hashing: boolean;
  readonly complete: boolean;
  /** How many there are. */
  readonly keys: number;
  /** Whether the host can render at all. */
  readonly imaging: {
    readonly ok: boolean;
    readonly code: string | null;
    readonly reason: string | null;
  } | null;
  readonly families: string[];
  readonly playerBodies: number[];
}

/** `body:17`, `item:3922`, `item:3922:1153` (hued) or `land:3`, and the hash of its picture. */
export type AssetRow = readonly [key: string, sha256: string];

interface AssetPage {
  readonly catalog: string;
  readonly keys: AssetRow[];
  readonly next: string | null;
}

const since = { protocol: 8, before: "NO_SOURCE" } as const;
export const catalogHash = Joi.string().min(1).max(128);

export const getAssetManifest = read({
  method: "GET",
  path: "/v1/assets",
  since,
  answer: Joi.object<AssetManifest>({
    catalog: catalogHash.allow(null),
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

const getAssetKeys = read<AssetPage, PageQuery>({
  method: "GET",
  path: "/v1/assets/keys",
  since,
  timeoutMs: slowCallMs,
  answer: Joi.object<AssetPage>({
    catalog: catalogHash,
    keys: rowsOf(isAssetRow),
    next: nextCursor,
  }),
});

/** Reads all keys, handing them on page by page. */
export const walkAssetKeys = (
  control: Control,
  take: (keys: readonly AssetRow[]) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<WalkResult<AssetManifest>> =>
  walk({
    manifest: () => control.read(getAssetManifest, { signal }),
    stateOf: (manifest) => ({
      hash: manifest.catalog,
      hashing: manifest.hashing,
      complete: manifest.complete,
      counts: { keys: manifest.keys },
    }),
    page: async (cursor) => {
      const page = await control.read(getAssetKeys, { query: pageQuery(cursor), signal });
      return {
        hash: page.catalog,
        rows: page.keys,
        counts: { keys: page.keys.length },
        last: page.keys.at(-1)?.[0] ?? null,
        next: page.next,
      };
    },
    take,
  });

function isAssetRow(row: unknown): row is AssetRow {
  if (!Array.isArray(row) || row.length !== 2) return false;
  const [key, hash] = row as unknown[];
  return typeof key === "string" && keyPattern.test(key) && isSha256(hash);
}

const keyPattern = /^[a-z]{1,16}:\d{1,5}(?::\d{1,5})?$/;
