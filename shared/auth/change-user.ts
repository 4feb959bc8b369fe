import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { isDemotion, keepAnAdmin, lockForAdmin } from "./admin-set.ts";
import { emailKey } from "./emails.ts";
import { revokeInvitesOf } from "./invites.ts";
import { orderMail } from "./order-mail.ts";
import { endResets } from "./password-reset.ts";
import { revokeAll } from "./revocation.ts";
import type { Role } from "./roles.ts";
import { recordChange } from "./user-admin.ts";
import type { UserRow } from "./users.ts";

/** What an administrator changes; what is absent stays. */
export interface UserChange {
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
  readonly email?: string | null | undefined;
}

/** One user under the locks, and who changes them. */
interface Subject {
  readonly user: UserRow;
  readonly actorId: number;
  readonly transaction: Transaction;
}

/**
 * Changes another user, or oneself.
 * @throws AppError conflict when nobody would be left to administer the site
 */
export function changeUser(
  userId: number,
  change: UserChange,
  actorId: number,
  context: Context,
): Promise<void> {
  return inTransaction(context.sequelize, async (transaction) => {
    const user = await lockForAdmin(userId, actorId, transaction);
    const subject = { user, actorId, transaction };
    const { role = user.role, disabled = user.disabledAt !== null, email = user.email } = change;
    if (role !== "admin" || disabled) await keepAnAdmin(user, transaction);
    if (role !== user.role) await changeRole(subject, role);
    if (disabled !== (user.disabledAt !== null)) await setDisabled(subject, disabled);
    if (email !== user.email) await changeEmail(subject, email, context);
  });
}

async function changeRole({ user, actorId, transaction }: Subject, role: Role): Promise<void> {
  await giveRole(user, role, transaction);
  const detail = { before: user.role, after: role };
  const line = { userId: user.id, actorId, action: "user.role_changed" };
  await recordChange(line, detail, transaction);
}

/**
 * Gives a locked user another role. Whoever loses rights is signed out, and whom they invited is
 * invited no more.
 */
export async function giveRole(user: UserRow, role: Role, transaction: Transaction): Promise<void> {
  await sqlOf(transaction).query("update users set role = $2, updated_at = now() where id = $1", [
    user.id,
    role,
  ]);
  if (!isDemotion(user.role, role)) return;
  await revokeAll(user.id, { reason: "demotion", trustedDevices: false }, transaction);
  await revokeInvitesOf(user.id, transaction);
}

/** Disabling ends all a user could come in by; enabling them again brings none of it back. */
async function setDisabled(
  { user, actorId, transaction }: Subject,
  disabled: boolean,
): Promise<void> {
  await sqlOf(transaction).query(
    `update users set disabled_at = case when $2 then now() end, updated_at = now()
     where id = $1`,
    [user.id, disabled],
  );
  if (disabled) {
    await revokeAll(user.id, { reason: "disabled", trustedDevices: true }, transaction);
    await revokeInvitesOf(user.id, transaction);
    await endResets(user.id, transaction);
  }
  const action = disabled ? "user.disabled" : "user.enabled";
  await recordChange({ userId: user.id, actorId, action }, {}, transaction);
}

/** Links that went to the former address open nothing more, and its owner is told. */
async function changeEmail(
  { user, actorId, transaction }: Subject,
  email: string | null,
  context: Context,
): Promise<void> {
  await sqlOf(transaction).query(
    "update users set email = $2, email_key = $3, updated_at = now() where id = $1",
    [user.id, email, email && emailKey(email)],
  );
  await endResets(user.id, transaction);
  await recordChange({ userId: user.id, actorId, action: "user.email_changed" }, {}, transaction);
  if (user.email === null) return;
  const order = { letter: "emailChanged", userId: user.id, email: user.email } as const;
  await orderMail(order, transaction, context);
}
