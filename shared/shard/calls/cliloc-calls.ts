import Joi from "joi";

import { declareRead } from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import { readSourcePages, type PagedReadResult } from "../../platform/bridge/calls/walk.ts";
import { field } from "../../platform/bridge/payload-fields.ts";
import { count } from "./answer-parts.ts";
import {
  exampleHash,
  hashOfAllDescription,
  hashOrNullDescription,
  manifestFields,
  nextCursorField,
  type PageQuery,
  pageQuery,
  pageQueryDocs,
  checkedRowsField,
  hashField,
} from "./paged-calls.ts";

export interface ClilocManifest {
  /** Size of the file in bytes. */
  readonly size: number;
  /** Epoch ms. */
  readonly mtime: number;
  /** Null while the shard computes it. */
  readonly sha256: string | null;
  readonly extractorVersion: number;
  readonly hashing: boolean;
  readonly complete: boolean;
  readonly entries: number;
}

export type ClilocEntry = readonly [number: number, text: string];

interface ClilocPage {
  readonly sha256: string;
  readonly entries: ClilocEntry[];
  readonly next: string | null;
}

const since = { protocol: 8, before: "NO_SOURCE" } as const;
const codes = ["NO_SOURCE", "DISABLED", "BUSY"] as const;

export const getClilocManifestCall = declareRead({
  method: "GET",
  path: "/v1/clilocs",
  since,
  answer: Joi.object<ClilocManifest, true>({
    size: field(count, "Size of the file with the texts, in bytes."),
    mtime: field(count, "When the file was last changed, in epoch milliseconds."),
    sha256: field(hashField.allow(null), hashOrNullDescription),
    ...manifestFields,
    entries: field(count, "Number of texts."),
  }),
  docs: {
    about: "Return the manifest of the client texts (clilocs): their number and their hash.",
    codes,
    example: {
      answer: {
        size: 3_764_293,
        mtime: 1_764_115_200_000,
        sha256: exampleHash,
        extractorVersion: 2,
        hashing: false,
        complete: true,
        entries: 2,
      },
    },
  },
});

const clilocEntry = {
  type: "array",
  prefixItems: [{ type: "integer", minimum: 0, maximum: 0x7fff_ffff }, { type: "string" }],
  minItems: 2,
  maxItems: 2,
};

export const getClilocEntriesCall = declareRead<ClilocPage, PageQuery>({
  method: "GET",
  path: "/v1/clilocs/entries",
  since,
  answer: Joi.object<ClilocPage>({
    sha256: field(hashField, hashOfAllDescription),
    entries: field(
      checkedRowsField(isClilocEntry, { items: clilocEntry }),
      "Rows of the page: the number of a text, and the text.",
    ),
    next: nextCursorField,
  }),
  docs: {
    about: "Return one page of the client texts, in the order of their numbers.",
    query: pageQueryDocs,
    codes,
    example: {
      query: pageQuery(null),
      answer: {
        sha256: exampleHash,
        entries: [
          [1_023_922, "dagger"],
          [1_049_640, "a wondrous scroll of ~1_type~ (110 Skill)"],
        ],
        next: null,
      },
    },
  },
});

/** Reads all entries and passes them to `take` page by page. */
export const walkClilocs = (
  control: ControlClient,
  take: (entries: readonly ClilocEntry[]) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<PagedReadResult<ClilocManifest>> =>
  readSourcePages({
    manifest: () => control.read(getClilocManifestCall, { signal }),
    stateOf: (manifest) => ({
      hash: manifest.sha256,
      hashing: manifest.hashing,
      complete: manifest.complete,
      counts: { entries: manifest.entries },
    }),
    page: async (cursor) => {
      const query = pageQuery(cursor);
      const page = await control.read(getClilocEntriesCall, { query, signal });
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

/** The client's text numbers are signed 32-bit integers. */
const isNumber = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
