import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import type { StoredPassword } from "../crypto/passwords.ts";
import { sqlOf } from "../db/sql.ts";
import { isUniqueViolation } from "../db/unique-violation.ts";
import { conflict, missing } from "../errors.ts";
import { emailKey } from "./emails.ts";
import type { Role } from "./roles.ts";
import { normalizeUsername, usernameKey } from "./usernames.ts";

/** A user's row as one statement read it. */
export interface UserRow extends StoredPassword {
  readonly id: number;
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly totpEnabled: boolean;
  readonly totpSecretSealed: string | null;
  /** Whether the second factor is locked at the moment of the read. */
  readonly totpLocked: boolean;
  readonly tokensValidAfter: number;
  readonly disabledAt: Date | null;
  /**
   * Whole epoch seconds for tokens that rest on this read. A cut-off set after the read is never
   * below it, so a token for a password that is just being changed is dead when it is issued.
   */
  readonly issuedAt: number;
}

const columns = `id, username, email, role, password_hash as "passwordHash",
  pepper_id as "pepperId", totp_enabled as "totpEnabled",
  totp_secret_sealed as "totpSecretSealed",
  coalesce(totp_locked_until > clock_timestamp(), false) as "totpLocked",
  tokens_valid_after as "tokensValidAfter", disabled_at as "disabledAt",
  greatest(floor(extract(epoch from clock_timestamp()))::bigint, tokens_valid_after + 1)
    as "issuedAt"`;

export async function findUserByName(
  username: string,
  sequelize: Sequelize,
): Promise<UserRow | null> {
  const [row] = await sequelize.query<UserRow>(
    `select ${columns} from users where username_key = $1`,
    { bind: [usernameKey(username)], type: QueryTypes.SELECT },
  );
  return row ?? null;
}

export async function findUser(userId: number, sequelize: Sequelize): Promise<UserRow | null> {
  const [row] = await sequelize.query<UserRow>(`select ${columns} from users where id = $1`, {
    bind: [userId],
    type: QueryTypes.SELECT,
  });
  return row ?? null;
}

/**
 * Reads the row and locks it until the transaction ends. Whatever changes a user's credentials
 * takes this lock first, so that no two of them see half of each other.
 */
export async function lockUser(userId: number, transaction: Transaction): Promise<UserRow | null> {
  const { rows } = await sqlOf(transaction).query<UserRow>(
    `select ${columns} from users where id = $1 for no key update`,
    [userId],
  );
  return rows[0] ?? null;
}

export interface NewUser extends StoredPassword {
  readonly username: string;
  readonly email?: string | null | undefined;
  readonly role: Role;
}

/** @throws AppError conflict when the name is taken */
export async function createUser(user: NewUser, transaction: Transaction): Promise<UserRow> {
  const { username, email = null, role, passwordHash, pepperId } = user;
  const { rows } = await sqlOf(transaction).query<UserRow>(
    `insert into users (username, username_key, email, email_key, role, password_hash, pepper_id)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (username_key) do nothing
     returning ${columns}`,
    [
      normalizeUsername(username),
      usernameKey(username),
      email,
      email && emailKey(email),
      role,
      passwordHash,
      pepperId,
    ],
  );
  const [created] = rows;
  if (!created) throw usernameTaken();
  return created;
}

/** @throws AppError conflict when the name is taken */
export async function renameUser(
  userId: number,
  username: string,
  transaction: Transaction,
): Promise<UserRow> {
  try {
    const { rows } = await sqlOf(transaction).query<UserRow>(
      `update users set username = $2, username_key = $3, updated_at = now() where id = $1
       returning ${columns}`,
      [userId, normalizeUsername(username), usernameKey(username)],
    );
    const [renamed] = rows;
    if (!renamed) throw missing();
    return renamed;
  } catch (error) {
    if (isUniqueViolation(error)) throw usernameTaken();
    throw error;
  }
}

const usernameTaken = () => conflict("Username is taken");
