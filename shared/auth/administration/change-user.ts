import type { Transaction } from "sequelize";

import type { Role } from "../../../models/auth/user.ts";
import { clockNow, transactionStart } from "../../../models/queries/clock.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { isDemotion, isStaff } from "../../platform/access/roles.ts";
import type { Context } from "../../platform/context.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { storeEmail } from "../account/store-email.ts";
import { keepAnAdmin, toUser } from "../admins/admin-set.ts";
import { revokeAll } from "../sessions/revocation.ts";
import { endTokensOf } from "../tokens/end-tokens.ts";
import type { UserRow } from "../users/users.ts";
import { changedAtMe, recordChange } from "./user-admin.ts";

/** What an administrator changes; what is absent stays. */
export interface UserChange {
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
  readonly email?: string | null | undefined;
}

/** A locked user, and who changes the account. */
interface Subject {
  readonly user: UserRow;
  readonly actorId: number;
  readonly transaction: Transaction;
}

/**
 * Changes another user; of the actor's own account the role and whether it is disabled.
 * @throws AppError own_account for the actor's own address; conflict when nobody would be left to administer the site
 */
export function changeUser(
  userId: number,
  change: UserChange,
  actor: Caller,
  context: Context,
): Promise<void> {
  return toUser(userId, actor, context, async (user, transaction) => {
    const subject = { user, actorId: actor.userId, transaction };
    if (change.email !== undefined && userId === actor.userId) {
      throw changedAtMe("e-mail address", "email");
    }
    const { role = user.role, disabled = user.disabledAt !== null, email = user.email } = change;
    if (role !== "admin" || disabled) await keepAnAdmin(user, transaction);
    if (role !== user.role) await changeRole(subject, role);
    if (disabled !== (user.disabledAt !== null)) await setDisabled(subject, disabled);
    if (email !== user.email) {
      await storeEmail(user, email, transaction, context);
      const line = { userId, actorId: actor.userId, action: "user.email_changed" };
      await recordChange(line, {}, transaction);
    }
  });
}

async function changeRole({ user, actorId, transaction }: Subject, role: Role): Promise<void> {
  await giveRole(user, role, transaction);
  const detail = { before: user.role, after: role };
  const line = { userId: user.id, actorId, action: "user.role_changed" };
  await recordChange(line, detail, transaction);
}

/**
 * Gives a locked user another role. A user who loses rights is signed out, and their open
 * invitations and their tokens are revoked; a session of a user who becomes staff ends when one of staff would.
 */
export async function giveRole(user: UserRow, role: Role, transaction: Transaction): Promise<void> {
  const { User, Invite } = modelsOf(transaction);
  await User.change(user.id, { role, ...staffTime(user.role, role) }, transaction);
  if (!isDemotion(user.role, role)) return;
  await revokeAll(user.id, { reason: "demotion", trustedDevices: false }, transaction);
  await endTokensOf(user.id, transaction);
  await Invite.revokeAllBy(user.id, transaction);
}

/** When the user became staff, where the change of role changes that. */
function staffTime(before: Role, after: Role): { readonly staffSince?: Date | null } {
  if (!isStaff(after)) return { staffSince: null };
  return isStaff(before) ? {} : { staffSince: clockNow() };
}

/** Disabling ends every session, link and invitation; enabling the user again restores none. */
async function setDisabled(
  { user, actorId, transaction }: Subject,
  disabled: boolean,
): Promise<void> {
  const { User, Invite, PasswordReset } = modelsOf(transaction);
  await User.change(user.id, { disabledAt: disabled ? transactionStart() : null }, transaction);
  if (disabled) {
    await revokeAll(user.id, { reason: "disabled", trustedDevices: true }, transaction);
    await endTokensOf(user.id, transaction);
    await Invite.revokeAllBy(user.id, transaction);
    await PasswordReset.endAllOf(user.id, transaction);
  }
  const action = disabled ? "user.disabled" : "user.enabled";
  await recordChange({ userId: user.id, actorId, action }, {}, transaction);
}
