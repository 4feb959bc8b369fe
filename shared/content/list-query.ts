import { Op } from "sequelize";

import { escapeLike } from "../platform/db/sql-text.ts";
import { foldText } from "./text/fold.ts";

export interface ListQuery {
  /** The title must contain this text. Case and accents are ignored. */
  readonly q?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The number of rows on all pages. */
  readonly total: number;
}

/** Returns a condition for rows whose folded column contains the term. */
export const buildTitleCondition = (term: string | undefined) =>
  term === undefined ? {} : { folded: { [Op.like]: `%${escapeLike(foldText(term))}%` } };
