import Joi from "joi";

import { field } from "../../platform/bridge/payload-fields.ts";
import { count, flag } from "./answer-parts.ts";

/** Records per page: `asked` is the number that the site requests, `most` the maximum that it accepts. */
export const pageSizes = { asked: 500, most: 5_000 } as const;

/** Timeout of calls for lists of hashes and for pictures, which take the shard longer than others. */
export const slowCallMs = 60_000;

export interface PageQuery {
  readonly query: { readonly cursor: string | null; readonly limit: number };
}

export const pageQuery = (cursor: string | null): PageQuery["query"] => ({
  cursor,
  limit: pageSizes.asked,
});

export const pageQueryDocs = {
  cursor: "Where the page begins: `next` of the previous page. Absent for the first page.",
  limit: "Number of rows that the site requests: 500. A page may have fewer rows, or up to 5,000.",
};

export const readingStateFields = {
  hashing: field(
    flag,
    "Whether the game is reading the files at the moment. If true, the import ends with `BUSY`.",
  ),
  complete: field(
    flag,
    "Whether the game has read all files. If false, the import ends with `INCOMPLETE`.",
  ),
};

/** Fields of the manifest of a source that is read from the client's files. */
export const manifestFields = {
  extractorVersion: field(count, "Version of the code that reads the files."),
  ...readingStateFields,
};

export const hashOfAllDescription = "Hash of the rows of all pages. It changes if a row changes.";
export const hashOrNullDescription = `${hashOfAllDescription} Null while the game is computing it.`;
export const exampleHash = "0a".repeat(32);

const hashPattern = /^[\da-f]{64}$/;

export const isSha256 = (value: unknown): value is string =>
  typeof value === "string" && hashPattern.test(value);

export const hashField = Joi.string().pattern(hashPattern, "sha256");

/** The cursor of the next page; null after the last page. */
export const nextCursorField = field(
  Joi.string().min(1).max(256).allow(null),
  "Where the next page begins: a text of your choice with at most 256 characters, which the site " +
    "sends as `cursor`. Null on the last page.",
);

/** Returns a schema that checks rows faster than Joi does, because a source has a hundred thousand rows. */
export const checkedRowsField = <Row>(
  isRow: (row: unknown) => row is Row,
  jsonSchema: object,
): Joi.ArraySchema<Row[]> =>
  Joi.array<Row[]>()
    .max(pageSizes.most)
    .custom((rows: unknown[], helpers) =>
      rows.every((row) => isRow(row))
        ? rows
        : helpers.message({ custom: "{{#label}} contains an invalid row" }),
    )
    .meta({ jsonSchema });

export const recordsField = <Row>(row: Joi.Schema<Row>): Joi.ArraySchema<Row[]> =>
  Joi.array<Row[]>().items(row).max(pageSizes.most);
