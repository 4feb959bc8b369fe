import { type LOCK, Op, type Transaction, type WhereOptions } from "sequelize";

import type { User } from "../../../models/auth/user.ts";
import { insertRowOnce } from "../../../models/queries/insert-once.ts";
import { computeColumn, type PlainRow, readPlainRows } from "../../../models/queries/plain-rows.ts";
import { isStaff } from "../../platform/access/roles.ts";
import type { Context } from "../../platform/context.ts";
import { isUniqueViolation } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { emailKey } from "../rules/emails.ts";
import {
  isSimilarToAnyName,
  isLikeReservedName,
  foldUsername,
  normalizeUsername,
  usernameKey,
} from "../rules/usernames.ts";

const columns = [
  "id",
  "username",
  "usernameKey",
  "email",
  "role",
  "passwordHash",
  "pepperId",
  "totpEnabled",
  "totpSecretSealed",
  "generation",
  "disabledAt",
] as const satisfies readonly (keyof User)[];

/** Columns computed with the database's clock when the row is read. */
const clockColumns = {
  totpLocked: computeColumn<boolean>("coalesce(totp_locked_until > clock_timestamp(), false)"),
  /** Whole epoch seconds when a player became staff. */
  staffSince: computeColumn<number | null>("floor(extract(epoch from staff_since))::bigint"),
  /** Whole epoch seconds when the row was read. */
  readAt: computeColumn<number>("floor(extract(epoch from clock_timestamp()))::bigint"),
};

export type UserRow = PlainRow<User, (typeof columns)[number], typeof clockColumns>;

interface UserQuery {
  readonly where: WhereOptions<User>;
  readonly transaction?: Transaction;
  readonly lock?: LOCK;
}

const readRows = (read: UserQuery, { models }: DatabaseContext): Promise<UserRow[]> =>
  readPlainRows(models.User, { ...read, columns, computed: clockColumns });

type DatabaseContext = Pick<Context, "models">;

/** Finds the user with exactly this name, otherwise the user whose name has the same fold. */
export async function findUserByName(
  username: string,
  stores: DatabaseContext,
): Promise<UserRow | null> {
  const key = usernameKey(username);
  const where = { [Op.or]: { usernameKey: key, usernameFold: foldUsername(username) } };
  const users = await readRows({ where }, stores);
  return users.find((user) => user.usernameKey === key) ?? users[0] ?? null;
}

export async function findUser(
  userId: number,
  stores: DatabaseContext,
  transaction?: Transaction,
): Promise<UserRow | null> {
  const [user] = await readRows(
    { where: { id: userId }, ...(transaction && { transaction }) },
    stores,
  );
  return user ?? null;
}

/** A user whose row is locked until the transaction ends. */
export interface LockedUser extends UserRow {
  readonly transaction: Transaction;
}

/** Locks and reads a user. Changes of credentials take this lock first, so that they run one by one. */
export async function lockUser(
  userId: number,
  transaction: Transaction,
): Promise<LockedUser | null> {
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const read = { where: { id: userId }, transaction, lock };
  const [user] = await readRows(read, { models: modelsOf(transaction) });
  return user ? { ...user, transaction } : null;
}

export interface NewUser extends Pick<User, "username" | "role" | "passwordHash" | "pepperId"> {
  readonly email?: string | null | undefined;
}

/** @throws AppError conflict if the name is taken or looks like a reserved or a staff name */
export async function createUser(user: NewUser, transaction: Transaction): Promise<LockedUser> {
  const { username, email = null, role, passwordHash, pepperId } = user;
  await requireDistinctName({ username, role }, transaction);
  await storeMissingFoldedNames(transaction);
  const row = {
    username: normalizeUsername(username),
    usernameKey: usernameKey(username),
    usernameFold: foldUsername(username),
    email,
    emailKey: email && emailKey(email),
    role,
    passwordHash,
    pepperId,
  };
  const created = await insertRowOnce(modelsOf(transaction).User, row, transaction);
  if (!created) throw usernameTakenError();
  return (await lockUser(created.id, transaction)) as LockedUser;
}

/** @returns the stored name @throws AppError conflict as for `createUser` */
export async function renameUser(
  { id: userId, role }: Pick<UserRow, "id" | "role">,
  name: string,
  transaction: Transaction,
): Promise<string> {
  await requireDistinctName({ id: userId, username: name, role }, transaction);
  await storeMissingFoldedNames(transaction);
  const { User } = modelsOf(transaction);
  const username = normalizeUsername(name);
  try {
    await User.change(userId, { username, usernameKey: usernameKey(name) }, transaction);
    // Set the fold with a second statement: a trigger clears it when the name changes.
    await User.change(userId, { usernameFold: foldUsername(name) }, transaction);
    return username;
  } catch (error) {
    if (isUniqueViolation(error)) throw usernameTakenError();
    throw error;
  }
}

/**
 * Refuses a name that could be mistaken for a staff member's, with the error for a taken name. Staff may
 * have reserved names. Two players' names may look alike.
 */
async function requireDistinctName(
  { id, username, role }: Pick<User, "username" | "role"> & { readonly id?: number },
  transaction: Transaction,
): Promise<void> {
  if (!isStaff(role) && isLikeReservedName(username)) throw usernameTakenError();
  const staff = await modelsOf(transaction)
    .User.scope("staff")
    .findAll({ attributes: ["id", "username"], transaction });
  const others = staff.filter((other) => other.id !== id);
  const names = others.map((other) => other.username);
  if (isSimilarToAnyName(username, names)) throw usernameTakenError();
}

const usernameTakenError = () => new AppError("name_taken", "Username is taken");

/**
 * Stores missing folds of names. A fold is missing if an older release stored the name, or if another
 * account had the same fold. Runs every hour and before a name is given to an account, so that the older
 * account keeps the name.
 */
export async function storeMissingFoldedNames(transaction: Transaction): Promise<void> {
  const { User } = modelsOf(transaction);
  const unfolded = await User.findAll({
    attributes: ["id", "username"],
    where: { usernameFold: null },
    order: ["id"],
    lock: transaction.LOCK.NO_KEY_UPDATE,
    skipLocked: true,
    transaction,
  });
  for (const { id, username } of unfolded) {
    const usernameFold = foldUsername(username);
    const isTaken = await User.findOne({
      attributes: ["id"],
      where: { usernameFold },
      transaction,
    });
    if (!isTaken) await User.update({ usernameFold }, { where: { id }, transaction });
  }
}
