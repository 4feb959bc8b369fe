import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import { lockForTransaction } from "../db/lock.ts";
import { sqlOf } from "../db/sql.ts";
import { conflict, forbidden, missing } from "../errors.ts";
import type { Role } from "./roles.ts";
import { lockUser, type UserRow } from "./users.ts";

/**
 * Locks who is an administrator, and then the user it is about. Changes follow one another, so no
 * two of them each count the other's administrator, and none is made by who just ceased to be one.
 * @throws AppError forbidden, missing
 */
export async function lockForAdmin(
  userId: number,
  actorId: number,
  transaction: Transaction,
): Promise<UserRow> {
  await lockAdminSet(actorId, transaction);
  const user = await lockUser(userId, transaction);
  if (!user) throw missing("Unknown user");
  return user;
}

/** @throws AppError forbidden when the actor is no administrator any more */
export async function lockAdminSet(actorId: number, transaction: Transaction): Promise<void> {
  await lockForTransaction("adminSet", transaction);
  if (!(await isAnyAdmin("id = $1", actorId, transaction))) throw forbidden("Admin role required");
}

/** @throws AppError conflict when the user is the only one who can administer the site */
export async function keepAnAdmin(user: UserRow, transaction: Transaction): Promise<void> {
  if (user.role !== "admin" || user.disabledAt) return;
  if (!(await isAnyAdmin("id <> $1", user.id, transaction))) throw conflict("Last admin");
}

/** The names of those who administer the site, the oldest account first. */
export async function readAdminNames(sequelize: Sequelize): Promise<string[]> {
  const admins = await sequelize.query<{ username: string }>(
    `select username from users where ${administers} order by id`,
    { type: QueryTypes.SELECT },
  );
  return admins.map(({ username }) => username);
}

const administers = "role = 'admin' and disabled_at is null";

async function isAnyAdmin(
  which: string,
  userId: number,
  transaction: Transaction,
): Promise<boolean> {
  const { rowCount } = await sqlOf(transaction).query(
    `select from users where ${administers} and ${which} limit 1`,
    [userId],
  );
  return rowCount === 1;
}

/** Whether a change of role takes rights away; only then do sessions end. */
export const isDemotion = (before: Role, after: Role): boolean =>
  before !== after && before !== "player" && after !== "admin";
