import { QueryTypes, type Sequelize } from "sequelize";

import { escapeLike } from "../db/like.ts";
import { missing } from "../errors.ts";
import type { Role } from "./roles.ts";
import { usernameKey } from "./usernames.ts";

/** A user as administrators see them. */
export interface UserRecord {
  readonly id: number;
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly totpEnabled: boolean;
  readonly isDisabled: boolean;
  readonly hasPassword: boolean;
  readonly createdAt: Date;
}

const columns = `id, username, email, role, totp_enabled as "totpEnabled",
  disabled_at is not null as "isDisabled", password_hash is not null as "hasPassword",
  created_at as "createdAt"`;

export interface UserSearch {
  /** Part of the name or the e-mail address, in any case. */
  readonly q?: string | undefined;
  readonly role?: Role | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface UserPage {
  readonly users: readonly UserRecord[];
  /** Of all pages. */
  readonly total: number;
}

/** Users by name. */
export async function searchUsers(search: UserSearch, sequelize: Sequelize): Promise<UserPage> {
  const { q, role, limit, offset } = search;
  const part = q === undefined ? null : `%${escapeLike(usernameKey(q))}%`;
  const where = `from users
    where ($1::text is null or username_key like $1 or email_key like $1)
      and ($2::text is null or role = $2)`;
  const [users, [counted]] = await Promise.all([
    sequelize.query<UserRecord>(
      `select ${columns} ${where} order by username_key limit $3 offset $4`,
      { bind: [part, role ?? null, limit, offset], type: QueryTypes.SELECT },
    ),
    sequelize.query<{ total: number }>(`select count(*)::integer as total ${where}`, {
      bind: [part, role ?? null],
      type: QueryTypes.SELECT,
    }),
  ]);
  return { users, total: counted?.total ?? 0 };
}

/** @throws AppError missing */
export async function readUserRecord(userId: number, sequelize: Sequelize): Promise<UserRecord> {
  const [user] = await sequelize.query<UserRecord>(
    `select ${columns} from users where id = $1::bigint`,
    { bind: [userId], type: QueryTypes.SELECT },
  );
  if (!user) throw missing("Unknown user");
  return user;
}
