import type { Model, Transaction } from "sequelize";

import { firstRow } from "../platform/db/rows.ts";
import type { RemovedPart } from "./markdown/removed-parts.ts";

/** A saved text, with the parts that are not shown as written. */
export interface SavedText<Row> {
  readonly row: Row;
  readonly removed: readonly RemovedPart[];
}

type DefinedColumns<Columns> = { [Name in keyof Columns]?: Exclude<Columns[Name], undefined> };

/** Omits the undefined columns of a change. */
export const omitUndefined = <Columns extends object>(columns: Columns): DefinedColumns<Columns> =>
  Object.fromEntries(
    Object.entries(columns).filter(([, value]) => value !== undefined),
  ) as DefinedColumns<Columns>;

/** Columns that are computed from other columns. */
const derivedColumns: readonly string[] = [
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

/** Returns the names of the changed columns, without their values, for the activity log. */
export const changedFields = (row: Model): string[] => {
  const changed = row.changed();
  return changed === false ? [] : changed.filter((name) => !derivedColumns.includes(name));
};

interface SlugRevision {
  /** The transaction has already checked and locked the slug. */
  readonly slug: string;
  /** The revision that the page gets if the slug was never used before. */
  readonly least: number;
}

/** Returns a revision above those of all former pages with the slug, so that a stale change cannot hit a new page. */
export async function nextSlugRevision(
  kind: "wiki" | "page",
  { slug, least }: SlugRevision,
  transaction: Transaction,
): Promise<number> {
  const left = await firstRow<{ revision: number }>(
    transaction,
    "select revision from left_slugs where kind = $1 and slug = $2",
    [kind, slug],
  );
  return Math.max(least, (left?.revision ?? 0) + 1);
}
