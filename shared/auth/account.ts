import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { hashPassword, type StoredPassword } from "../crypto/passwords.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalidFields } from "../errors.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./client.ts";
import { tellUser } from "./order-mail.ts";
import { lockCaller } from "./own-account.ts";
import { recordOwn } from "./own-activity.ts";
import { checkPassword } from "./password-policy.ts";
import { checkOwnPassword } from "./reauthentication.ts";
import { reissue, type Reissued } from "./reissue.ts";
import { revokeAll } from "./revocation.ts";
import { checkUsername } from "./usernames.ts";
import { renameUser, type UserRow } from "./users.ts";

/** Gives the caller another name. Tokens carry ids, so sessions live on. */
export async function changeUsername(
  caller: Caller,
  username: string,
  client: Client,
  context: Context,
): Promise<UserRow> {
  const faults = checkUsername(username);
  if (faults.length > 0) throw invalidFields(faults);
  return inTransaction(context.sequelize, async (transaction) => {
    const { id: userId, username: before } = await lockCaller(caller, transaction);
    const user = await renameUser(userId, username, transaction);
    const detail = { before, after: user.username };
    await recordOwn({ userId, action: "auth.username.changed", client, detail }, transaction);
    await tellUser(userId, "usernameChanged", transaction, context);
    return user;
  });
}

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Sets another password. Every session ends but the caller's own, which is issued anew. */
export async function changePassword(
  caller: Caller,
  { currentPassword, newPassword }: PasswordChange,
  client: Client,
  context: Context,
): Promise<Reissued> {
  const { userId, username } = caller;
  const faults = checkPassword(newPassword, { username, path: "newPassword" });
  if (faults.length > 0) throw invalidFields(faults);
  await checkOwnPassword({ caller, client }, currentPassword, context);
  const stored = await hashPassword(newPassword, context.config);
  return inTransaction(context.sequelize, async (transaction) => {
    await lockCaller(caller, transaction);
    await setPassword(userId, stored, transaction);
    await recordOwn({ userId, action: "auth.password.changed", client }, transaction);
    await tellUser(userId, "passwordChanged", transaction, context);
    return reissue(caller, transaction, context);
  });
}

/** Stores a new password. Whatever the old one opened ends: sessions, devices, trust. */
export async function setPassword(
  userId: number,
  { passwordHash, pepperId }: StoredPassword,
  transaction: Transaction,
): Promise<void> {
  await revokeAll(userId, { reason: "password", trustedDevices: true }, transaction);
  await sqlOf(transaction).query(
    "update users set password_hash = $2, pepper_id = $3, updated_at = now() where id = $1",
    [userId, passwordHash, pepperId],
  );
}
