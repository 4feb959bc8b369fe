import type { Transaction } from "sequelize";

import { firstRow } from "../platform/db/rows.ts";

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
