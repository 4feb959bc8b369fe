import Joi from "joi";

import { read } from "../../bridge/call.ts";
import type { Control } from "../../bridge/control.ts";
import { walk, type WalkResult } from "../../bridge/walk.ts";
import { count, flag } from "../values/answer-parts.ts";
import { nextCursor, type PageQuery, pageQuery, rowsOf, sha256 } from "./paged-calls.ts";

/** The client's texts as the shard has them. */
export interface ClilocManifest {
  /** Bytes of the file. */
  readonly size: number;
  /** Epoch ms. */
  readonly mtime: number;
  /** Null while it is being made. */
  readonly sha256: string | null;
  readonly extractorVersion: number;
  readonly hashing: boolean;
  readonly complete: boolean;
  /** How many there are. */
  readonly entries: number;
}

export type ClilocEntry = readonly [number: number, text: string];

interface ClilocPage {
  readonly sha256: string;
  readonly entries: ClilocEntry[];
  readonly next: string | null;
}

const since = { protocol: 8, before: "NO_SOURCE" } as const;

export const getClilocManifest = read({
  method: "GET",
  path: "/v1/clilocs",
  since,
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

const getClilocEntries = read<ClilocPage, PageQuery>({
  method: "GET",
  path: "/v1/clilocs/entries",
  since,
  answer: Joi.object<ClilocPage>({ sha256, entries: rowsOf(isClilocEntry), next: nextCursor }),
});

/** Reads all entries, handing them on page by page. */
export const walkClilocs = (
  control: Control,
  take: (entries: readonly ClilocEntry[]) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<WalkResult<ClilocManifest>> =>
  walk({
    manifest: () => control.read(getClilocManifest, { signal }),
    stateOf: (manifest) => ({
      hash: manifest.sha256,
      hashing: manifest.hashing,
      complete: manifest.complete,
      counts: { entries: manifest.entries },
    }),
    page: async (cursor) => {
      const query = pageQuery(cursor);
      const page = await control.read(getClilocEntries, { query, signal });
      const last = page.entries.at(-1)?.[0];
      return {
        hash: page.sha256,
        rows: page.entries,
        counts: { entries: page.entries.length },
        last: last === undefined ? null : String(last),
        next: page.next,
      };
    },
    take,
  });

function isClilocEntry(row: unknown): row is ClilocEntry {
  if (!Array.isArray(row) || row.length !== 2) return false;
  const [number, text] = row as unknown[];
  return isNumber(number) && typeof text === "string";
}

/** The client's numbers are signed 32-bit ones. */
const isNumber = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
