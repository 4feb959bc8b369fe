import type { QueryResultRow } from "pg";

import type { Context } from "../../../shared/platform/context.ts";
import { rows } from "../../../shared/platform/db/rows.ts";

/** A test server, or another object with models and a database connection. */
export interface DatabaseHolder {
  readonly context: Pick<Context, "models" | "sequelize">;
}

/** Runs a statement in the database of a test. @returns the rows */
export const query = <Row extends QueryResultRow = QueryResultRow>(
  { context }: { readonly context: Pick<Context, "sequelize"> },
  text: string,
  ...values: readonly unknown[]
): Promise<Row[]> => rows<Row>(context.sequelize, text, values);
