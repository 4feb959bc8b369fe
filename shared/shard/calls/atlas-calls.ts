import Joi from "joi";

import { declareRead } from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import { readSourcePages, type PagedReadResult } from "../../platform/bridge/calls/walk.ts";
import { field } from "../../platform/bridge/payload-fields.ts";
import { count, listOf, text } from "./answer-parts.ts";
import { type AtlasRegion, atlasRegion, type AtlasSpawner, atlasSpawner } from "./atlas-records.ts";
import {
  exampleHash,
  hashOfAllDescription,
  hashOrNullDescription,
  nextCursorField,
  type PageQuery,
  pageQuery,
  pageQueryDocs,
  readingStateFields,
  recordsField,
  hashField,
} from "./paged-calls.ts";

const regionExample: AtlasRegion = {
  facet: "Felucca",
  name: "Britain",
  type: "TownRegion",
  parent: null,
  level: 0,
  priority: 50,
  rects: [{ x1: 1_416, y1: 1_498, z1: -128, x2: 1_740, y2: 1_777, z2: 128 }],
  go: { x: 1_495, y: 1_629, z: 10 },
  entrance: null,
  music: "Britain1",
  rune: null,
  guarded: true,
  housing: false,
  logoutDelay: true,
  minExpansion: null,
  maxExpansion: null,
  area: 90_396,
  key: "Felucca/Britain",
};

const spawnerExample: AtlasSpawner = {
  facet: "Felucca",
  key: "2f6f0c1a-1f5b-4f0e-9a58-51a1c1d7f7a0",
  name: "Orcs",
  x: 2_312,
  y: 1_150,
  z: 0,
  rect: null,
  homeRange: 10,
  walkRange: 15,
  count: 3,
  minDelaySec: 300,
  maxDelaySec: 600,
  running: true,
  region: null,
  entries: [
    {
      type: "Orc",
      typeKey: "orc",
      max: 3,
      probability: null,
      args: null,
      minDelaySec: null,
      maxDelaySec: null,
    },
  ],
  source: "Spawns/felucca.xml",
};

export interface AtlasFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export interface AtlasManifest {
  /** Null while the shard computes it. */
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
const codes = ["DISABLED", "NO_SOURCE", "BUSY"] as const;

const file = Joi.object<AtlasFile, true>({
  path: field(text, "Path of the file below the game's folder."),
  size: field(count, "Size in bytes."),
  sha256: field(hashField, "SHA-256 of the file's bytes, in hexadecimal."),
});

export const getAtlasManifestCall = declareRead({
  method: "GET",
  path: "/v1/atlas",
  since,
  answer: Joi.object<AtlasManifest>({
    sha256: field(hashField.allow(null), hashOrNullDescription),
    files: field(listOf(file), "Files from which the regions and spawners come."),
    counts: field(
      Joi.object({
        regions: field(count, "Number of regions."),
        spawners: field(count, "Number of spawners."),
      }),
      "Number of records on all pages together.",
    ),
    ...readingStateFields,
  }),
  docs: {
    about:
      "Return the manifest of the world's regions and spawners: their numbers, their files and " +
      "their hash.",
    codes,
    example: {
      answer: {
        sha256: exampleHash,
        files: [{ path: "Data/Regions.xml", size: 125_944, sha256: "1b".repeat(32) }],
        counts: { regions: 1, spawners: 1 },
        hashing: false,
        complete: true,
      },
    },
  },
});

export const getAtlasRecordsCall = declareRead<AtlasPage, PageQuery>({
  method: "GET",
  path: "/v1/atlas/records",
  since,
  answer: Joi.object<AtlasPage>({
    sha256: field(hashField, hashOfAllDescription),
    regions: field(recordsField(atlasRegion), "Regions on this page."),
    spawners: field(recordsField(atlasSpawner), "Spawners on this page."),
    next: nextCursorField,
  }),
  docs: {
    about: "Return one page of regions and spawners.",
    query: pageQueryDocs,
    codes,
    example: {
      query: pageQuery(null),
      answer: {
        sha256: exampleHash,
        regions: [regionExample],
        spawners: [spawnerExample],
        next: null,
      },
    },
  },
});

/** Reads all regions and spawners and passes them to `take` page by page. */
export const walkAtlas = (
  control: ControlClient,
  take: (rows: AtlasRows) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<PagedReadResult<AtlasManifest>> =>
  readSourcePages({
    manifest: () => control.read(getAtlasManifestCall, { signal }),
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
      } = await control.read(getAtlasRecordsCall, {
        query,
        signal,
      });
      const last = spawners.at(-1) ?? regions.at(-1);
      const counts = { regions: regions.length, spawners: spawners.length };
      return { hash, rows: { regions, spawners }, counts, last: last?.key ?? null, next };
    },
    take,
  });
