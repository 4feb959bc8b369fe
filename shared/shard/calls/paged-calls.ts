import Joi from "joi";

import { field } from "../../platform/bridge/payload-fields.ts";
import { count, flag } from "./answer-parts.ts";

/** Records of one page: how many the site requests, and how many a page may have. */
export const pageRecords = { asked: 500, most: 5_000 } as const;

/** Lists of hashes and pictures take the shard longer than other calls. */
export const slowCallMs = 60_000;

/** What a page of a source is asked with. */
export interface PageQuery {
  readonly query: { readonly cursor: string | null; readonly limit: number };
}

export const pageQuery = (cursor: string | null): PageQuery["query"] => ({
  cursor,
  limit: pageRecords.asked,
});

/** What the parameters of such a call are. */
export const pageQueryDocs = {
  cursor: "Where the page begins: `next` of the previous page. Absent for the first page.",
  limit: "Number of rows that the site requests: 500. A page may have fewer rows, or up to 5,000.",
};

/** What every manifest tells of its source. */
export const readingFields = {
  hashing: field(
    flag,
    "Whether the game is reading the files at the moment. If true, the import ends with `BUSY`.",
  ),
  complete: field(
    flag,
    "Whether the game has read all files. If false, the import ends with `INCOMPLETE`.",
  ),
};

/** What the manifest of a source tells that is made of the client's files. */
export const manifestFields = {
  extractorVersion: field(count, "Version of the code that reads the files."),
  ...readingFields,
};

/** What the hash of a source is. */
export const hashOfAll = "Hash of the rows of all pages. It changes if a row changes.";
export const hashOrNull = `${hashOfAll} Null while the game is computing it.`;
export const exampleHash = "0a".repeat(32);

const hashPattern = /^[\da-f]{64}$/;

export const isSha256 = (value: unknown): value is string =>
  typeof value === "string" && hashPattern.test(value);

export const sha256 = Joi.string().pattern(hashPattern, "sha256");

/** Where the next page begins; null ends the walk. */
export const nextCursor = field(
  Joi.string().min(1).max(256).allow(null),
  "Where the next page begins: a text of your choice with at most 256 characters, which the site " +
    "sends as `cursor`. Null on the last page.",
);

/**
 * Rows that are checked by hand: a source has a hundred thousand of them.
 * @param jsonSchema what JSON Schema says of them
 */
export const rowsOf = <Row>(
  isRow: (row: unknown) => row is Row,
  jsonSchema: object,
): Joi.ArraySchema<Row[]> =>
  Joi.array<Row[]>()
    .max(pageRecords.most)
    .custom((rows: unknown[], helpers) =>
      rows.every((row) => isRow(row))
        ? rows
        : helpers.message({ custom: "{{#label}} holds an odd row" }),
    )
    .meta({ jsonSchema });

/** Records that their schema checks. */
export const recordsOf = <Row>(row: Joi.Schema<Row>): Joi.ArraySchema<Row[]> =>
  Joi.array<Row[]>().items(row).max(pageRecords.most);
