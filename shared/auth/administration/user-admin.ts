import type { Transaction } from "sequelize";

import type { Role } from "../../../models/auth/user.ts";
import { clockNow, transactionStart } from "../../../models/queries/clock.ts";
import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import { isDemotion, isStaff } from "../../platform/access/roles.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword, type StoredPassword } from "../../platform/crypto/passwords.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { AppError, invalidFieldsError } from "../../platform/errors/errors.ts";
import { storeEmail } from "../account/account.ts";
import { checkPassword } from "../rules/password-policy.ts";
import { checkUsername } from "../rules/usernames.ts";
import { removeSecondFactor } from "../second-factor/totp-enrollment.ts";
import { removeTrustedDevices } from "../second-factor/trusted-devices.ts";
import { revokeAllAccess } from "../sessions/revocation.ts";
import { enqueueNoticeMail } from "../users/order-mail.ts";
import { createUser, type UserRow, lockUser } from "../users/users.ts";
import { runWithAdminLock, runWithAdminAndUserLock, requireOtherAdmin } from "./admin-set.ts";
import { revokeTokensOfUser } from "./api-tokens.ts";

export interface NewAccount {
  readonly username: string;
  readonly email?: string | undefined;
  readonly role: Role;
  /** Absent if the user chooses a password with a reset link. */
  readonly password?: string | undefined;
}

const noPassword: StoredPassword = { passwordHash: null, pepperId: null };

/** Creates an account for another person. @returns its id */
export async function createAccount(
  account: NewAccount,
  actor: Caller,
  client: SignInClient,
  context: Context,
): Promise<number> {
  const { username, email, role, password } = account;
  const faults = [
    ...checkUsername(username),
    ...(password === undefined ? [] : checkPassword(password, { username })),
  ];
  if (faults.length > 0) throw invalidFieldsError(faults);
  const stored =
    password === undefined
      ? noPassword
      : await hashPassword(password, context.config, client.address);
  return runWithAdminLock(actor, context, async (transaction) => {
    const { id } = await createUser({ username, email, role, ...stored }, transaction);
    const target = { type: "user", id };
    const line = { actorId: actor.userId, action: "user.created", target, detail: { role } };
    await recordActivity(line, transaction);
    return id;
  });
}

/** Signs a user out everywhere. @returns the number of ended device sessions */
export function revokeSessions(userId: number, actor: Caller, context: Context): Promise<number> {
  return runWithAdminAndUserLock(userId, actor, context, async (_user, transaction) => {
    const reason = { reason: "admin", trustedDevices: false };
    const revoked = await revokeAllAccess(userId, reason, transaction);
    const change = { userId, actorId: actor.userId, action: "user.sessions_revoked" };
    await recordUserChange(change, { revoked }, transaction);
    return revoked;
  });
}

interface UserChangeRecord {
  readonly userId: number;
  readonly actorId: number;
  readonly action: string;
}

export const recordUserChange = (
  { userId, actorId, action }: UserChangeRecord,
  detail: Readonly<Record<string, unknown>>,
  transaction: Transaction,
): Promise<void> =>
  recordActivity({ actorId, action, target: { type: "user", id: userId }, detail }, transaction);

/** Administrators change their own credentials only at `/auth/me`, which requires a confirmation. */
const ownAccountError = (what: string, where: string): AppError =>
  new AppError("own_account", `Change your own ${what} at /auth/me/account/${where}`);

/** An administrator's change of a user. Absent fields keep their values. */
export interface UserChange {
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
  readonly email?: string | null | undefined;
}

/** A locked user and the actor who changes it. */
interface LockedSubject {
  readonly user: UserRow;
  readonly actorId: number;
  readonly transaction: Transaction;
}

/**
 * Changes another user, or the actor's own role or disabled state.
 * @throws AppError own_account for the actor's own address; conflict if no administrator would be left
 */
export function changeUser(
  userId: number,
  change: UserChange,
  actor: Caller,
  context: Context,
): Promise<void> {
  return runWithAdminAndUserLock(userId, actor, context, async (user, transaction) => {
    const subject = { user, actorId: actor.userId, transaction };
    if (change.email !== undefined && userId === actor.userId) {
      throw ownAccountError("e-mail address", "email");
    }
    const { role = user.role, disabled = user.disabledAt !== null, email = user.email } = change;
    if (role !== "admin" || disabled) await requireOtherAdmin(user, transaction);
    if (role !== user.role) await changeRole(subject, role);
    if (disabled !== (user.disabledAt !== null)) await setDisabled(subject, disabled);
    if (email !== user.email) {
      await storeEmail(user, email, transaction, context);
      const line = { userId, actorId: actor.userId, action: "user.email_changed" };
      await recordUserChange(line, {}, transaction);
    }
  });
}

async function changeRole(
  { user, actorId, transaction }: LockedSubject,
  role: Role,
): Promise<void> {
  await changeUserRole(user, role, transaction);
  const detail = { before: user.role, after: role };
  const line = { userId: user.id, actorId, action: "user.role_changed" };
  await recordUserChange(line, detail, transaction);
}

/**
 * Changes the role of a locked user. A demotion signs the user out and revokes open invitations and
 * tokens. The sessions of a user who becomes staff get the shorter staff lifetime.
 */
export async function changeUserRole(
  user: UserRow,
  role: Role,
  transaction: Transaction,
): Promise<void> {
  const { User, Invite } = modelsOf(transaction);
  await User.change(user.id, { role, ...staffSinceChange(user.role, role) }, transaction);
  if (!isDemotion(user.role, role)) return;
  await revokeAllAccess(user.id, { reason: "demotion", trustedDevices: false }, transaction);
  await revokeTokensOfUser(user.id, transaction);
  await Invite.revokeAllBy(user.id, transaction);
}

/** Returns the new `staffSince`; an empty object if the change of the role does not affect it. */
function staffSinceChange(before: Role, after: Role): { readonly staffSince?: Date | null } {
  if (!isStaff(after)) return { staffSince: null };
  return isStaff(before) ? {} : { staffSince: clockNow() };
}

/** Disabling ends every session, link and invitation; enabling restores none. */
async function setDisabled(
  { user, actorId, transaction }: LockedSubject,
  disabled: boolean,
): Promise<void> {
  const { User, Invite, PasswordReset } = modelsOf(transaction);
  await User.change(user.id, { disabledAt: disabled ? transactionStart() : null }, transaction);
  if (disabled) {
    await revokeAllAccess(user.id, { reason: "disabled", trustedDevices: true }, transaction);
    await revokeTokensOfUser(user.id, transaction);
    await Invite.revokeAllBy(user.id, transaction);
    await PasswordReset.endAllOf(user.id, transaction);
  }
  const action = disabled ? "user.disabled" : "user.enabled";
  await recordUserChange({ userId: user.id, actorId, action }, {}, transaction);
}

/** Removes a user's lost second factor. @throws AppError own_account for the actor's own second factor */
export function resetMfa(userId: number, actor: Caller, context: Context): Promise<void> {
  return runWithAdminAndUserLock(userId, actor, context, async ({ totpEnabled }, transaction) => {
    if (userId === actor.userId) throw ownAccountError("second factor", "totp/disable");
    await removeSecondFactor(userId, transaction);
    const change = { userId, actorId: actor.userId, action: "auth.mfa.reset" };
    await recordUserChange(change, { totp_enabled: totpEnabled }, transaction);
    if (totpEnabled) await enqueueNoticeMail(userId, "totpDisabled", transaction, context);
  });
}

/** @returns true if the device was trusted until now */
export async function removeUserTrustedDevice(
  device: { readonly userId: number; readonly deviceId: number },
  actor: Caller,
  context: Context,
): Promise<boolean> {
  const { userId, deviceId } = device;
  const target = { type: "user", id: userId };
  const line = { actor, action: "auth.trusted_device.revoked", target, detail: { deviceId } };
  const record = (_count: number, transaction: Transaction) => recordActivity(line, transaction);
  const deleted = await runWithAdminLock(actor, context, async (transaction) => {
    await lockUser(userId, transaction);
    return removeTrustedDevices({ userId, deviceId, record }, transaction);
  });
  return deleted > 0;
}
