import { Op } from "sequelize";

import { escapeLike } from "../platform/db/sql-text.ts";
import { fold } from "./text/fold.ts";

export interface ListQuery {
  /** Part of a title; case and accents do not matter. */
  readonly q?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The number of rows on all pages. */
  readonly total: number;
}

/** A condition for rows whose folded column contains the term. */
export const whereTitleLike = (term: string | undefined) =>
  term === undefined ? {} : { folded: { [Op.like]: `%${escapeLike(fold(term))}%` } };
