import Joi from "joi";

import { declareRead } from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import { readSourcePages, type PagedReadResult } from "../../platform/bridge/calls/walk.ts";
import { field } from "../../platform/bridge/payload-fields.ts";
import { count, flag, listOf, text, textOrNull } from "./answer-parts.ts";
import {
  exampleHash,
  hashOfAllDescription,
  hashOrNullDescription,
  isSha256,
  manifestFields,
  nextCursorField,
  type PageQuery,
  pageQuery,
  pageQueryDocs,
  checkedRowsField,
  slowCallMs,
} from "./paged-calls.ts";

/** The client's pictures that the shard can render. */
export interface AssetManifest {
  /** Hash of the list of keys; null while the shard computes it. */
  readonly catalog: string | null;
  readonly files: number;
  readonly extractorVersion: number;
  readonly hashing: boolean;
  readonly complete: boolean;
  readonly keys: number;
  /** The ability of the game's host to render pictures. */
  readonly imaging: {
    readonly ok: boolean;
    readonly code: string | null;
    readonly reason: string | null;
  } | null;
  readonly families: string[];
  readonly playerBodies: number[];
}

/** A key (`body:17`, `item:3922`, `item:3922:1153` with a hue, or `land:3`) and its picture's hash. */
export type AssetRow = readonly [key: string, sha256: string];

interface AssetPage {
  readonly catalog: string;
  readonly keys: AssetRow[];
  readonly next: string | null;
}

const since = { protocol: 8, before: "NO_SOURCE" } as const;
export const catalogHashField = field(Joi.string().min(1).max(128), hashOfAllDescription);
const codes = ["NO_SOURCE", "DISABLED", "BUSY"] as const;

const imaging = Joi.object({
  ok: field(flag, "Whether the game server's machine can create pictures."),
  code: field(
    textOrNull,
    "If it cannot, the reason as a code, such as `NO_IMAGING`. Otherwise null.",
  ),
  reason: field(textOrNull, "If it cannot, the reason as a text for people. Otherwise null."),
});

export const getAssetManifestCall = declareRead({
  method: "GET",
  path: "/v1/assets",
  since,
  answer: Joi.object<AssetManifest>({
    catalog: field(catalogHashField.allow(null), hashOrNullDescription),
    files: field(count, "Number of files of the game client from which the pictures come."),
    ...manifestFields,
    keys: field(count, "Number of pictures."),
    imaging: field(imaging.allow(null), "Whether pictures can be created. Null if unknown."),
    families: field(
      listOf(text),
      "Types of pictures that the game can create, such as `body`, `item` and `land`.",
    ),
    playerBodies: field(
      listOf(count),
      "Numbers of the bodies that characters of players can have.",
    ),
  }),
  docs: {
    about:
      "Return the manifest of the pictures that the game can create: their number and their hash.",
    codes,
    example: {
      answer: {
        catalog: exampleHash,
        files: 14,
        extractorVersion: 3,
        hashing: false,
        complete: true,
        keys: 2,
        imaging: { ok: true, code: null, reason: null },
        families: ["body", "item", "land"],
        playerBodies: [400, 401],
      },
    },
  },
});

const keyPattern = /^[a-z]{1,16}:\d{1,5}(?::\d{1,5})?$/;

const assetRow = {
  type: "array",
  prefixItems: [
    { type: "string", pattern: keyPattern.source },
    { type: "string", pattern: "^[0-9a-f]{64}$" },
  ],
  minItems: 2,
  maxItems: 2,
};

export const getAssetKeysCall = declareRead<AssetPage, PageQuery>({
  method: "GET",
  path: "/v1/assets/keys",
  since,
  timeoutMs: slowCallMs,
  answer: Joi.object<AssetPage>({
    catalog: catalogHashField,
    keys: field(
      checkedRowsField(isAssetRow, { items: assetRow }),
      "Rows of the page: the key of a picture, and the SHA-256 of the picture's bytes in " +
        "hexadecimal. A key has the form `body:17`, `land:3`, `item:3922` or, with a hue, " +
        "`item:3922:1153`, in decimal numbers.",
    ),
    next: nextCursorField,
  }),
  docs: {
    about: "Return one page of the keys and hashes of pictures.",
    query: pageQueryDocs,
    codes,
    example: {
      query: pageQuery(null),
      answer: {
        catalog: exampleHash,
        keys: [
          ["body:17", "1b".repeat(32)],
          ["item:3922", "2c".repeat(32)],
        ],
        next: null,
      },
    },
  },
});

/** Reads all keys and passes them to `take` page by page. */
export const walkAssetKeys = (
  control: ControlClient,
  take: (keys: readonly AssetRow[]) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<PagedReadResult<AssetManifest>> =>
  readSourcePages({
    manifest: () => control.read(getAssetManifestCall, { signal }),
    stateOf: (manifest) => ({
      hash: manifest.catalog,
      hashing: manifest.hashing,
      complete: manifest.complete,
      counts: { keys: manifest.keys },
    }),
    page: async (cursor) => {
      const page = await control.read(getAssetKeysCall, { query: pageQuery(cursor), signal });
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
