import Joi from "joi";

import { read } from "../../bridge/call.ts";
import type { Control } from "../../bridge/control.ts";
import { walk, type WalkResult } from "../../bridge/walk.ts";
import { count, flag, listOf, text } from "../values/answer-parts.ts";
import { type AtlasRegion, atlasRegion, type AtlasSpawner, atlasSpawner } from "./atlas-records.ts";
import { nextCursor, type PageQuery, pageQuery, recordsOf, sha256 } from "./paged-calls.ts";

export interface AtlasFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** The world's regions and spawners as the shard has them. */
export interface AtlasManifest {
  /** Null while it is being made. */
  readonly sha256: string | null;
  readonly files: AtlasFile[];
  readonly counts: { readonly regions: number; readonly spawners: number };
  readonly hashing: boolean;
  readonly complete: boolean;
}

export interface AtlasRows {
  readonly regions: AtlasRegion[];
  readonly spawners: AtlasSpawner[];
}

interface AtlasPage extends AtlasRows {
  readonly sha256: string;
  readonly next: string | null;
}

const since = { protocol: 8, before: "DISABLED" } as const;

export const getAtlasManifest = read({
  method: "GET",
  path: "/v1/atlas",
  since,
  answer: Joi.object<AtlasManifest>({
    sha256: sha256.allow(null),
    files: listOf(Joi.object<AtlasFile, true>({ path: text, size: count, sha256 })),
    counts: Joi.object({ regions: count, spawners: count }),
    hashing: flag,
    complete: flag,
  }),
});

const getAtlasRecords = read<AtlasPage, PageQuery>({
  method: "GET",
  path: "/v1/atlas/records",
  since,
  answer: Joi.object<AtlasPage>({
    sha256,
    regions: recordsOf(atlasRegion),
    spawners: recordsOf(atlasSpawner),
    next: nextCursor,
  }),
});

/** Reads all regions and spawners, handing them on page by page. */
export const walkAtlas = (
  control: Control,
  take: (rows: AtlasRows) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<WalkResult<AtlasManifest>> =>
  walk({
    manifest: () => control.read(getAtlasManifest, { signal }),
    stateOf: ({ sha256: hash, hashing, complete, counts }) => ({
      hash,
      hashing,
      complete,
      counts,
    }),
    page: async (cursor) => {
      const query = pageQuery(cursor);
      const {
        sha256: hash,
        regions,
        spawners,
        next,
      } = await control.read(getAtlasRecords, {
        query,
        signal,
      });
      const last = spawners.at(-1) ?? regions.at(-1);
      const counts = { regions: regions.length, spawners: spawners.length };
      return { hash, rows: { regions, spawners }, counts, last: last?.key ?? null, next };
    },
    take,
  });
