import type { Transaction } from "sequelize";

import type { Role } from "../../../models/auth/user.ts";
import type { Credential } from "../../platform/access/caller.ts";
import { isDemotion } from "../../platform/access/roles.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { AppError, unauthenticatedError } from "../../platform/errors/errors.ts";
import { isBasisValid, basisOfCredential } from "./authorized-user.ts";

/**
 * Checks the session's rights when the request acts, and locks them until the transaction ends. A session
 * that expires after the request arrived still counts as valid. The lock is as strong as that of
 * `lockUser`: two requests that upgrade from a weaker lock would deadlock.
 * @throws AppError unauthenticated, forbidden
 */
export async function lockSessionRights(
  credential: Credential,
  role: Role,
  transaction: Transaction,
): Promise<void> {
  const { User } = modelsOf(transaction);
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const read = { attributes: ["role" as const], transaction, lock };
  const user = await User.findByPk(credential.userId, read);
  const basis = { ...basisOfCredential(credential), expiresAt: null, signedInAt: null };
  // A statement that waits for a lock sees other tables as of its start. So check in a later statement.
  if (!user || !(await isBasisValid(basis, transaction))) throw unauthenticatedError();
  if (isDemotion(role, user.role)) {
    throw new AppError("role_required", "Your role no longer allows this");
  }
}
