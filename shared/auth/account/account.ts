import type { Transaction } from "sequelize";

import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword, type StoredPassword } from "../../platform/crypto/passwords.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import { emailKey } from "../rules/emails.ts";
import { checkPassword } from "../rules/password-policy.ts";
import { checkUsername } from "../rules/usernames.ts";
import { checkOwnPassword } from "../second-factor/confirm-caller.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { reissueSession, type ReissuedSession } from "../sessions/reissue.ts";
import { revokeAllAccess } from "../sessions/revocation.ts";
import { enqueueNoticeMail, enqueueMail } from "../users/order-mail.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import { renameUser, type UserRow } from "../users/users.ts";

/** Renames the caller. Session tokens contain the user's id and no name, so they stay valid. */
export async function changeUsername(
  caller: Caller,
  username: string,
  client: SignInClient,
  context: Context,
): Promise<UserRow> {
  const faults = checkUsername(username);
  if (faults.length > 0) throw invalidFieldsError(faults);
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const { user } = await lockCaller(caller, transaction, context);
    const { id: userId, username: before } = user;
    const after = await renameUser(user, username, transaction);
    const detail = { before, after };
    await recordOwnActivity(
      { userId, action: "auth.username.changed", client, detail },
      transaction,
    );
    await enqueueNoticeMail(userId, "usernameChanged", transaction, context);
    return { ...user, username: after };
  });
}

/**
 * Changes or removes the caller's email address. The new address is not verified; the caller has confirmed the
 * change.
 */
export function changeOwnEmail(
  caller: Caller,
  email: string | null,
  client: SignInClient,
  context: Context,
): Promise<UserRow> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const { user } = await lockCaller(caller, transaction, context);
    if (email === user.email) return user;
    await storeEmail(user, email, transaction, context);
    const line = { userId: user.id, action: "auth.email.changed", client };
    await recordOwnActivity(line, transaction);
    return { ...user, email };
  });
}

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Changes the caller's password, ends all other sessions and issues a new token for the caller's own. */
export async function changePassword(
  caller: Caller,
  { currentPassword, newPassword }: PasswordChange,
  client: SignInClient,
  context: Context,
): Promise<ReissuedSession> {
  const { userId, username } = caller;
  const faults = checkPassword(newPassword, { username, path: "newPassword" });
  if (faults.length > 0) throw invalidFieldsError(faults);
  await checkOwnPassword({ caller, client }, currentPassword, context);
  const stored = await hashPassword(newPassword, context.config, client.address);
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const authorized = await lockCaller(caller, transaction, context);
    await setPassword(userId, stored, transaction, caller.familyId);
    await recordOwnActivity({ userId, action: "auth.password.changed", client }, transaction);
    await enqueueNoticeMail(userId, "passwordChanged", transaction, context);
    return reissueSession(authorized, caller, context);
  });
}

/** Stores a password; ends all sessions and trusted devices. @param spared device session that stays */
export async function setPassword(
  userId: number,
  { passwordHash, pepperId }: StoredPassword,
  transaction: Transaction,
  spared: number | null = null,
): Promise<void> {
  await revokeAllAccess(userId, { reason: "password", trustedDevices: true, spared }, transaction);
  await modelsOf(transaction).User.change(userId, { passwordHash, pepperId }, transaction);
}

/** Changes a locked user's email address, ends open reset links and mails the former address. */
export async function storeEmail(
  { id: userId, email: former }: Pick<UserRow, "id" | "email">,
  email: string | null,
  transaction: Transaction,
  context: Context,
): Promise<void> {
  const { User, PasswordReset } = modelsOf(transaction);
  await User.change(userId, { email, emailKey: email && emailKey(email) }, transaction);
  await PasswordReset.endAllOf(userId, transaction);
  if (former === null) return;
  const order = { letter: "emailChanged", userId, email: former } as const;
  await enqueueMail(order, transaction, context);
}
