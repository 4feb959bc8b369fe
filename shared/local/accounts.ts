import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import { setPassword as storePassword } from "../auth/account.ts";
import { keepAnAdmin } from "../auth/admin-set.ts";
import { giveRole } from "../auth/change-user.ts";
import { checkEmail } from "../auth/emails.ts";
import { checkPassword } from "../auth/password-policy.ts";
import type { Role } from "../auth/roles.ts";
import { removeSecondFactor } from "../auth/totp-enrolment.ts";
import { checkUsername } from "../auth/usernames.ts";
import { createUser, findUserByName, lockUser, type UserRow } from "../auth/users.ts";
import { hashPassword } from "../crypto/passwords.ts";
import { lockForTransaction } from "../db/lock.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalidFields, missing } from "../errors.ts";
import type { Ground } from "./ground.ts";
import { recordFromShell } from "./record-from-shell.ts";

export interface ShellUser {
  readonly username: string;
  readonly role: Role;
  readonly password: string;
  readonly email?: string | undefined;
}

export interface ListedUser {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly email: string | null;
  readonly isDisabled: boolean;
  readonly totpEnabled: boolean;
}

/** @throws AppError for what no route would take, or a name that is taken */
export async function addUser(user: ShellUser, { config, sequelize }: Ground): Promise<UserRow> {
  const { username, role, password } = user;
  const email = user.email?.trim();
  refuse([
    ...checkUsername(username),
    ...checkPassword(password, { username }),
    ...(email === undefined ? [] : checkEmail(email)),
  ]);
  const stored = await hashPassword(password, config);
  return inTransaction(sequelize, async (transaction) => {
    const created = await createUser({ username, role, email, ...stored }, transaction);
    await record("user.created", created.id, transaction, { role });
    return created;
  });
}

/** Gives a user another role, by the rules that hold for administrators. */
export function changeRole(username: string, role: Role, { sequelize }: Ground): Promise<UserRow> {
  return inTransaction(sequelize, async (transaction) => {
    await lockForTransaction("adminSet", transaction);
    const user = await lockByName(username, sequelize, transaction);
    if (role !== "admin") await keepAnAdmin(user, transaction);
    await giveRole(user, role, transaction);
    await record("user.role_changed", user.id, transaction, { before: user.role, after: role });
    return { ...user, role };
  });
}

/** Gives a user another password and ends everything they were signed in with. */
export async function setPassword(
  username: string,
  password: string,
  { config, sequelize }: Ground,
): Promise<UserRow> {
  refuse(checkPassword(password, { username }));
  const stored = await hashPassword(password, config);
  return inTransaction(sequelize, async (transaction) => {
    const user = await lockByName(username, sequelize, transaction);
    await storePassword(user.id, stored, transaction);
    await record("auth.password.changed", user.id, transaction);
    return user;
  });
}

/**
 * Takes a user's second factor away, for whoever lost the phone and the codes: recovery codes,
 * trusted devices and every session go with it. The password stays.
 */
export function resetMfa(username: string, { sequelize }: Ground): Promise<UserRow> {
  return inTransaction(sequelize, async (transaction) => {
    const user = await lockByName(username, sequelize, transaction);
    await removeSecondFactor(user.id, transaction);
    await record("auth.mfa.reset", user.id, transaction, { totp_enabled: user.totpEnabled });
    return user;
  });
}

export const listUsers = ({ sequelize }: Ground): Promise<ListedUser[]> =>
  sequelize.query<ListedUser>(
    `select id, username, role, email, disabled_at is not null as "isDisabled",
            totp_enabled as "totpEnabled"
     from users order by username_key`,
    { type: QueryTypes.SELECT },
  );

function refuse(faults: ReturnType<typeof checkUsername>): void {
  if (faults.length > 0) throw invalidFields(faults);
}

async function lockByName(
  username: string,
  sequelize: Sequelize,
  transaction: Transaction,
): Promise<UserRow> {
  const found = await findUserByName(username, sequelize);
  const user = found && (await lockUser(found.id, transaction));
  if (!user) throw missing(`There is no user ${username}`);
  return user;
}

const record = (
  action: string,
  userId: number,
  transaction: Transaction,
  detail?: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordFromShell({ action, target: { type: "user", id: userId }, detail }, transaction);
