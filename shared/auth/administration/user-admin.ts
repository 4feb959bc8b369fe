import type { Transaction } from "sequelize";

import type { Role } from "../../../models/auth/user.ts";
import type { Caller } from "../../platform/access/caller.ts";
import type { Client } from "../../platform/access/client.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword, type StoredPassword } from "../../platform/crypto/passwords.ts";
import { AppError, invalidFields } from "../../platform/errors/errors.ts";
import { inAdminSet, toUser } from "../admins/admin-set.ts";
import { checkPassword } from "../rules/password-policy.ts";
import { checkUsername } from "../rules/usernames.ts";
import { revokeAll } from "../sessions/revocation.ts";
import { createUser } from "../users/users.ts";

export interface NewAccount {
  readonly username: string;
  readonly email?: string | undefined;
  readonly role: Role;
  /** Absent: the user sets one by a reset link. */
  readonly password?: string | undefined;
}

const noPassword: StoredPassword = { passwordHash: null, pepperId: null };

/** Makes an account for somebody else. @returns its id */
export async function createAccount(
  account: NewAccount,
  actor: Caller,
  client: Client,
  context: Context,
): Promise<number> {
  const { username, email, role, password } = account;
  const faults = [
    ...checkUsername(username),
    ...(password === undefined ? [] : checkPassword(password, { username })),
  ];
  if (faults.length > 0) throw invalidFields(faults);
  const stored =
    password === undefined
      ? noPassword
      : await hashPassword(password, context.config, client.address);
  return inAdminSet(actor, context, async (transaction) => {
    const { id } = await createUser({ username, email, role, ...stored }, transaction);
    const target = { type: "user", id };
    const line = { actorId: actor.userId, action: "user.created", target, detail: { role } };
    await recordActivity(line, transaction);
    return id;
  });
}

/** Signs a user out everywhere. @returns how many device sessions ended */
export function revokeSessions(userId: number, actor: Caller, context: Context): Promise<number> {
  return toUser(userId, actor, context, async (_user, transaction) => {
    const reason = { reason: "admin", trustedDevices: false };
    const revoked = await revokeAll(userId, reason, transaction);
    const change = { userId, actorId: actor.userId, action: "user.sessions_revoked" };
    await recordChange(change, { revoked }, transaction);
    return revoked;
  });
}

interface Change {
  readonly userId: number;
  readonly actorId: number;
  readonly action: string;
}

export const recordChange = (
  { userId, actorId, action }: Change,
  detail: Readonly<Record<string, unknown>>,
  transaction: Transaction,
): Promise<void> =>
  recordActivity({ actorId, action, target: { type: "user", id: userId }, detail }, transaction);

/** What guards the actor's own account is changed at `/auth/me` alone, for the proof that is asked there. */
export const changedAtMe = (what: string, where: string): AppError =>
  new AppError("own_account", `Change your own ${what} at /auth/me/account/${where}`);
