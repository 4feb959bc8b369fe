import { Op, type WhereOptions } from "sequelize";

import type { User } from "../../../models/auth/user.ts";
import { computeColumn, type PlainRow, readPlainRows } from "../../../models/queries/plain-rows.ts";
import type { Context } from "../../platform/context.ts";
import { escapeLike } from "../../platform/db/sql-text.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { foldUsername, usernameKey } from "../rules/usernames.ts";

const columns = [
  "id",
  "username",
  "email",
  "role",
  "totpEnabled",
  "createdAt",
] as const satisfies readonly (keyof User)[];

const computedColumns = {
  isDisabled: computeColumn<boolean>("disabled_at is not null"),
  hasPassword: computeColumn<boolean>("password_hash is not null"),
};

/** A user as administrators see them. */
export type UserRecord = Readonly<PlainRow<User, (typeof columns)[number], typeof computedColumns>>;

const selection = { columns, computed: computedColumns };

export interface UserSearch {
  /** Part of the name or of the email address; case is ignored. */
  readonly q?: string | undefined;
  readonly role?: User["role"] | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface UserPage {
  readonly users: readonly UserRecord[];
  /** Number of matching users on all pages. */
  readonly total: number;
}

type DatabaseContext = Pick<Context, "models">;

/** Returns the matching users of a page, sorted by name. */
export async function searchUsers(
  search: UserSearch,
  { models }: DatabaseContext,
): Promise<UserPage> {
  const { limit, offset } = search;
  const where = whereOf(search);
  const [users, total] = await Promise.all([
    readPlainRows(models.User, { ...selection, where, order: ["usernameKey"], limit, offset }),
    models.User.count({ where }),
  ]);
  return { users, total };
}

function whereOf({ q, role }: UserSearch): WhereOptions<User> {
  const ofRole = role === undefined ? {} : { role };
  if (q === undefined) return ofRole;
  const part = { [Op.like]: `%${escapeLike(usernameKey(q))}%` };
  const folded = { [Op.like]: `%${escapeLike(foldUsername(q))}%` };
  return { ...ofRole, [Op.or]: { usernameFold: folded, usernameKey: part, emailKey: part } };
}

/** Returns all users, sorted by name. */
export const listUsers = ({ models }: DatabaseContext): Promise<UserRecord[]> =>
  readPlainRows(models.User, { ...selection, order: ["usernameKey"] });

/** @throws AppError missing if no user has this id */
export async function readUserRecord(
  userId: number,
  { models }: DatabaseContext,
): Promise<UserRecord> {
  const [user] = await readPlainRows(models.User, { ...selection, where: { id: userId } });
  if (!user) throw notFoundError("Unknown user");
  return user;
}
