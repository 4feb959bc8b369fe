import type { User } from "../../../models/auth/user.ts";
import type { Models } from "../../../models/index.ts";
import type { OnDatabase } from "../../support/database/query.ts";

/** The context for planting rows for many users. */
export interface Planting {
  readonly on: OnDatabase;
  readonly models: Models;
  readonly users: readonly User[];
  /** The owner of rows that are listed by owner. */
  readonly owner: number;
}

/** Builds a row for each user, numbered from one. */
export const forEachUser = <Row>(
  { users }: Pick<Planting, "users">,
  rowOf: (n: number, userId: number) => Row,
): Row[] => users.map(({ id }, at) => rowOf(at + 1, id));

/** Returns the row of this number. */
export const nth = <Row>(rows: readonly Row[], n: number): Row => {
  const row = rows[n - 1];
  if (!row) throw new Error(`there is no row ${n}`);
  return row;
};
