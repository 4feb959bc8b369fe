import type { Transaction } from "sequelize";

import type { Role } from "../../../models/auth/user.ts";
import type { Credential } from "../../platform/access/caller.ts";
import { isDemotion } from "../../platform/access/roles.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { AppError, unauthenticated } from "../../platform/errors/errors.ts";
import { areStillValid, groundsOf } from "./admission.ts";

/**
 * Asks once more for what a session is admitted to, and holds it: whatever would take it away waits
 * until the transaction ends. So a request acts by what its caller may do when it acts. That a session
 * grows too old meanwhile takes nothing away. The lock is the one of `lockUser`: of two acts at once
 * that hold a weaker one and then ask for that, each would wait for the other.
 * @throws AppError unauthenticated, forbidden
 */
export async function holdRights(
  credential: Credential,
  role: Role,
  transaction: Transaction,
): Promise<void> {
  const { User } = modelsOf(transaction);
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const read = { attributes: ["role" as const], transaction, lock };
  const user = await User.findByPk(credential.userId, read);
  const grounds = { ...groundsOf(credential), expiresAt: null, signedInAt: null };
  // A statement that waits for a lock sees other tables as they were before: ask in a later one.
  if (!user || !(await areStillValid(grounds, transaction))) throw unauthenticated();
  if (isDemotion(role, user.role)) {
    throw new AppError("role_required", "The role that this needs was taken away");
  }
}
