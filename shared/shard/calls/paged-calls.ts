import Joi from "joi";

/** Records of one page: what we ask for, and the most that may come. */
const pageRecords = { asked: 500, most: 5_000 } as const;

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

const hashPattern = /^[\da-f]{64}$/;

export const isSha256 = (value: unknown): value is string =>
  typeof value === "string" && hashPattern.test(value);

export const sha256 = Joi.string().pattern(hashPattern, "sha256");

/** Where the next page begins; null ends the walk. */
export const nextCursor = Joi.string().min(1).max(256).allow(null);

/** Rows that are checked by hand: a source has a hundred thousand of them. */
export const rowsOf = <Row>(isRow: (row: unknown) => row is Row): Joi.ArraySchema<Row[]> =>
  Joi.array<Row[]>()
    .max(pageRecords.most)
    .custom((rows: unknown[], helpers) =>
      rows.every((row) => isRow(row))
        ? rows
        : helpers.message({ custom: "{{#label}} holds an odd row" }),
    );

/** Records that their schema checks. */
export const recordsOf = <Row>(row: Joi.Schema<Row>): Joi.ArraySchema<Row[]> =>
  Joi.array<Row[]>().items(row).max(pageRecords.most);
