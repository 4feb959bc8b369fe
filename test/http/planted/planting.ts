import type { User } from "../../../models/auth/user.ts";
import type { Models } from "../../../models/index.ts";
import type { OnDatabase } from "../../support/database/query.ts";

/** Rows of each table for many users, as one import or one busy day leaves them. */
export interface Planting {
  readonly on: OnDatabase;
  readonly models: Models;
  readonly users: readonly User[];
  /** To whom belongs what is listed by its owner. */
  readonly owner: number;
}

/** A row for each of the users, who are numbered from one. */
export const forEachUser = <Row>(
  { users }: Pick<Planting, "users">,
  rowOf: (n: number, userId: number) => Row,
): Row[] => users.map(({ id }, at) => rowOf(at + 1, id));

/** The row of the user of this number. */
export const nth = <Row>(rows: readonly Row[], n: number): Row => {
  const row = rows[n - 1];
  if (!row) throw new Error(`there is no row ${n}`);
  return row;
};
