import type { Transaction } from "sequelize";

import type { Identity } from "../../../models/auth/identity.ts";
import type { Role } from "../../../models/auth/user.ts";
import { setPassword as storePassword } from "../../../shared/auth/account/account.ts";
import { listIdentities, removeIdentity } from "../../../shared/auth/account/identities.ts";
import { requireOtherAdmin } from "../../../shared/auth/administration/admin-set.ts";
import { changeUserRole } from "../../../shared/auth/administration/user-admin.ts";
import { checkEmail } from "../../../shared/auth/rules/emails.ts";
import { checkPassword } from "../../../shared/auth/rules/password-policy.ts";
import { checkUsername } from "../../../shared/auth/rules/usernames.ts";
import { removeSecondFactor } from "../../../shared/auth/second-factor/totp-enrollment.ts";
import {
  createUser,
  findUserByName,
  type LockedUser,
  lockUser,
  type UserRow,
} from "../../../shared/auth/users/users.ts";
import { hashPassword } from "../../../shared/platform/crypto/passwords.ts";
import { takeTransactionLock } from "../../../shared/platform/db/lock.ts";
import { inTransaction, modelsOf } from "../../../shared/platform/db/transaction.ts";
import { invalidFieldsError, notFoundError } from "../../../shared/platform/errors/errors.ts";
import type { ShellContext } from "../launch/shell-context.ts";
import { recordShellActivity } from "./record-from-shell.ts";

export interface UserToAdd {
  readonly username: string;
  readonly role: Role;
  readonly password: string;
  readonly email?: string | undefined;
}

/** @throws AppError for an invalid field or a name that is taken */
export async function addUser(
  user: UserToAdd,
  { config, sequelize }: ShellContext,
): Promise<UserRow> {
  const { username, role, password } = user;
  const email = user.email?.trim();
  refuse([
    ...checkUsername(username),
    ...checkPassword(password, { username }),
    ...(email === undefined ? [] : checkEmail(email)),
  ]);
  const stored = await hashPassword(password, config, undefined);
  return inTransaction(sequelize, async (transaction) => {
    const created = await createUser({ username, role, email, ...stored }, transaction);
    await record("user.created", created.id, transaction, { role });
    return created;
  });
}

/** Changes a user's role. The rules are the same as for an administrator on the site. */
export function changeRole(
  username: string,
  role: Role,
  { sequelize }: ShellContext,
): Promise<UserRow> {
  return inTransaction(sequelize, async (transaction) => {
    await takeTransactionLock("adminSet", transaction);
    const user = await lockByName(username, transaction);
    if (role !== "admin") await requireOtherAdmin(user, transaction);
    await changeUserRole(user, role, transaction);
    await record("user.role_changed", user.id, transaction, { before: user.role, after: role });
    return { ...user, role };
  });
}

export async function setPassword(
  username: string,
  password: string,
  { config, sequelize }: ShellContext,
): Promise<UserRow> {
  refuse(checkPassword(password, { username }));
  const stored = await hashPassword(password, config, undefined);
  return inTransaction(sequelize, async (transaction) => {
    const user = await lockByName(username, transaction);
    await storePassword(user.id, stored, transaction);
    await record("auth.password.changed", user.id, transaction);
    return user;
  });
}

/** Removes a user's second factor with its recovery codes, trusted devices and all sessions. */
export function resetMfa(username: string, { sequelize }: ShellContext): Promise<UserRow> {
  return inTransaction(sequelize, async (transaction) => {
    const user = await lockByName(username, transaction);
    await removeSecondFactor(user.id, transaction);
    await record("auth.mfa.reset", user.id, transaction, { totp_enabled: user.totpEnabled });
    return user;
  });
}

export async function listUserIdentities(
  username: string,
  { models }: ShellContext,
): Promise<Identity[]> {
  const user = await findUserByName(username, { models });
  if (!user) throw unknownUser(username);
  return listIdentities(user.id, { models });
}

/** Unlinks a user's account at a sign-in provider, unless the user has no other way to sign in. Sessions stay. */
export function unlinkUserIdentity(
  username: string,
  provider: string,
  { config, sequelize }: ShellContext,
): Promise<UserRow> {
  return inTransaction(sequelize, async (transaction) => {
    const user = await lockByName(username, transaction);
    const stores = { models: modelsOf(transaction) };
    const identities = await listIdentities(user.id, stores, transaction);
    const identity = identities.find(({ providerId }) => providerId === provider);
    if (!identity) throw notFoundError(`${user.username} has no account at ${provider}`);
    await removeIdentity(user, identity, transaction, { config });
    await record("auth.sso.unlinked", user.id, transaction, { provider });
    return user;
  });
}

function refuse(faults: ReturnType<typeof checkUsername>): void {
  if (faults.length > 0) throw invalidFieldsError(faults);
}

/** Locks the user with this name. Repeats the lookup if the name changes owner meanwhile. */
async function lockByName(username: string, transaction: Transaction): Promise<LockedUser> {
  const stores = { models: modelsOf(transaction) };
  for (;;) {
    const found = await findUserByName(username, stores);
    const user = found && (await lockUser(found.id, transaction));
    if (!user) throw unknownUser(username);
    if (user.username === found.username) return user;
  }
}

const unknownUser = (username: string) => notFoundError(`There is no user ${username}`);

const record = (
  action: string,
  userId: number,
  transaction: Transaction,
  detail?: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordShellActivity({ action, target: { type: "user", id: userId }, detail }, transaction);
