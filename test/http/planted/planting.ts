import type { User } from "../../../models/auth/user.ts";
import type { Models } from "../../../models/index.ts";
import type { DatabaseHolder } from "../../support/database/query.ts";

/** The database and the users for whom rows are inserted. */
export interface FixtureContext {
  readonly on: DatabaseHolder;
  readonly models: Models;
  readonly users: readonly User[];
  /** The id of the user for whom rows are inserted that only their owner can list. */
  readonly owner: number;
}

/** Builds one row per user. The rows are numbered from 1. */
export const forEachUser = <Row>(
  { users }: Pick<FixtureContext, "users">,
  rowOf: (n: number, userId: number) => Row,
): Row[] => users.map(({ id }, at) => rowOf(at + 1, id));

/** Returns the row with this number, counted from 1. @throws if there is none */
export const nth = <Row>(rows: readonly Row[], n: number): Row => {
  const row = rows[n - 1];
  if (!row) throw new Error(`there is no row ${n}`);
  return row;
};
