import { literal, Op, type WhereOptions } from "sequelize";

import type { User } from "../../../models/auth/user.ts";
import type { Context } from "../../context.ts";
import { escapeLike } from "../../db/like.ts";
import { missing } from "../../errors.ts";
import { foldUsername, usernameKey } from "../rules/usernames.ts";

const columns = [
  "id",
  "username",
  "email",
  "role",
  "totpEnabled",
  "createdAt",
] as const satisfies readonly (keyof User)[];

/** A user as administrators see them. */
export interface UserRecord extends Readonly<Pick<User, (typeof columns)[number]>> {
  readonly isDisabled: boolean;
  readonly hasPassword: boolean;
}

const attributes = [
  ...columns,
  [literal("disabled_at is not null"), "isDisabled"] as [never, string],
  [literal("password_hash is not null"), "hasPassword"] as [never, string],
];

export interface UserSearch {
  /** Part of the name or the e-mail address, in any case. */
  readonly q?: string | undefined;
  readonly role?: User["role"] | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface UserPage {
  readonly users: readonly UserRecord[];
  /** Of all pages. */
  readonly total: number;
}

type Stores = Pick<Context, "models">;

/** Users by name. */
export async function searchUsers(search: UserSearch, { models }: Stores): Promise<UserPage> {
  const { limit, offset } = search;
  const where = whereOf(search);
  const read = { attributes, where, order: ["usernameKey"], limit, offset, raw: true };
  const [users, total] = await Promise.all([
    models.User.findAll(read),
    models.User.count({ where }),
  ]);
  return { users: users as unknown[] as UserRecord[], total };
}

function whereOf({ q, role }: UserSearch): WhereOptions<User> {
  const ofRole = role === undefined ? {} : { role };
  if (q === undefined) return ofRole;
  const part = { [Op.like]: `%${escapeLike(usernameKey(q))}%` };
  const folded = { [Op.like]: `%${escapeLike(foldUsername(q))}%` };
  return { ...ofRole, [Op.or]: { usernameFold: folded, usernameKey: part, emailKey: part } };
}

/** Every user by name. */
export const listUsers = ({ models }: Stores): Promise<UserRecord[]> =>
  models.User.findAll({ attributes, order: ["usernameKey"], raw: true }) as Promise<
    unknown[]
  > as Promise<UserRecord[]>;

/** @throws AppError missing */
export async function readUserRecord(userId: number, { models }: Stores): Promise<UserRecord> {
  const user = await models.User.findOne({ attributes, where: { id: userId }, raw: true });
  if (!user) throw missing("Unknown user");
  return user as unknown as UserRecord;
}
