import type { QueryResultRow } from "pg";

import type { Context } from "../../../shared/platform/context.ts";
import { rows } from "../../../shared/platform/db/rows.ts";

/** An object with a database, usually a test's server. */
export interface OnDatabase {
  readonly context: Pick<Context, "models" | "sequelize">;
}

/** Runs a statement on a test's database. @returns its rows, if any */
export const query = <Row extends QueryResultRow = QueryResultRow>(
  { context }: { readonly context: Pick<Context, "sequelize"> },
  text: string,
  ...values: readonly unknown[]
): Promise<Row[]> => rows<Row>(context.sequelize, text, values);
