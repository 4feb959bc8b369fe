import { Op } from "sequelize";

import { escapeLike } from "../platform/db/sql-text.ts";
import { fold } from "./text/fold.ts";

/** What a list of texts is asked for. */
export interface ListQuery {
  /** Part of a title, in any case and with or without accents. */
  readonly q?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Of all pages. */
  readonly total: number;
}

/** Rows whose folded column holds the term. */
export const like = (term: string | undefined) =>
  term === undefined ? {} : { folded: { [Op.like]: `%${escapeLike(fold(term))}%` } };
