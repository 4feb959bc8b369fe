import type { Model, Transaction } from "sequelize";

import { firstRow } from "../platform/db/rows.ts";
import type { RemovedPart } from "./markdown/removed-parts.ts";

/** A text after it was saved, with the parts that are not shown as they were written. */
export interface SavedText<Row> {
  readonly row: Row;
  readonly removed: readonly RemovedPart[];
}

type Given<Columns> = { [Name in keyof Columns]?: Exclude<Columns[Name], undefined> };

/** The columns that a change names: those that it does not name are left as they are. */
export const givenColumns = <Columns extends object>(columns: Columns): Given<Columns> =>
  Object.fromEntries(
    Object.entries(columns).filter(([, value]) => value !== undefined),
  ) as Given<Columns>;

/** Columns that follow from others. */
const derived: readonly string[] = [
  "autoExcerpt",
  "bodyHtml",
  "toc",
  "renderer",
  "renderRules",
  "folded",
  "revision",
  "updatedAt",
  "updatedBy",
];

/** The names of what a change changes, for the activity log: no texts. */
export const changedFields = (row: Model): string[] => {
  const changed = row.changed();
  return changed === false ? [] : changed.filter((name) => !derived.includes(name));
};

interface Taken {
  /** The slug, which the transaction has taken. */
  readonly slug: string;
  /** The revision that the page has otherwise. */
  readonly least: number;
}

/**
 * The revision of a page that takes a slug: above those of all pages that were there before, so that no
 * change is based on a page that has left.
 */
export async function revisionAt(
  kind: "wiki" | "page",
  { slug, least }: Taken,
  transaction: Transaction,
): Promise<number> {
  const left = await firstRow<{ revision: number }>(
    transaction,
    "select revision from left_slugs where kind = $1 and slug = $2",
    [kind, slug],
  );
  return Math.max(least, (left?.revision ?? 0) + 1);
}
