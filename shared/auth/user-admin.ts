import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { hashPassword, type StoredPassword } from "../crypto/passwords.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalidFields } from "../errors.ts";
import { recordActivity } from "../site/activity.ts";
import { keepAnAdmin, lockAdminSet, lockForAdmin } from "./admin-set.ts";
import { revokeInvitesOf } from "./invites.ts";
import { checkPassword } from "./password-policy.ts";
import { revokeAll } from "./revocation.ts";
import type { Role } from "./roles.ts";
import { checkUsername } from "./usernames.ts";
import { createUser } from "./users.ts";

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
  actorId: number,
  { sequelize, config }: Context,
): Promise<number> {
  const { username, email, role, password } = account;
  const faults = [
    ...checkUsername(username),
    ...(password === undefined ? [] : checkPassword(password, { username })),
  ];
  if (faults.length > 0) throw invalidFields(faults);
  const stored = password === undefined ? noPassword : await hashPassword(password, config);
  return inTransaction(sequelize, async (transaction) => {
    await lockAdminSet(actorId, transaction);
    const { id } = await createUser({ username, email, role, ...stored }, transaction);
    const target = { type: "user", id };
    const line = { actorId, action: "user.created", target, detail: { role } };
    await recordActivity(line, transaction);
    return id;
  });
}

/** Deletes a user for good, with all that is theirs; the log keeps the id. */
export function deleteAccount(
  userId: number,
  actorId: number,
  { sequelize, queue }: Context,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const user = await lockForAdmin(userId, actorId, transaction);
    await keepAnAdmin(user, transaction);
    await revokeInvitesOf(userId, transaction);
    // Tells every open stream; the rows themselves go with the user.
    await revokeAll(userId, { reason: "deletion", trustedDevices: true }, transaction);
    await sqlOf(transaction).query("delete from users where id = $1", [userId]);
    await queue.enqueue("shard.unlink-user", { userId }, { within: transaction });
    const { username, role } = user;
    await recordChange(
      { userId, actorId, action: "user.deleted" },
      { username, role },
      transaction,
    );
  });
}

/** Signs a user out everywhere. @returns how many device sessions ended */
export function revokeSessions(
  userId: number,
  actorId: number,
  { sequelize }: Context,
): Promise<number> {
  return inTransaction(sequelize, async (transaction) => {
    await lockForAdmin(userId, actorId, transaction);
    const reason = { reason: "admin", trustedDevices: false };
    const revoked = await revokeAll(userId, reason, transaction);
    const change = { userId, actorId, action: "user.sessions_revoked" };
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
