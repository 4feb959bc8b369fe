import { transactionStart } from "../../../models/queries/clock.ts";
import type { SignInClient } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword, isPasswordHashOutdated } from "../../platform/crypto/passwords.ts";
import { computePseudonym } from "../../platform/crypto/pseudonym.ts";
import { isHashQueueBusy } from "../../platform/crypto/slow-hash.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { type RefusalReason, wrongCredentialsError } from "../rules/sign-in-errors.ts";
import { foldUsername } from "../rules/usernames.ts";
import { comparePassword } from "../users/compare-password.ts";
import { findUserByName, type UserRow } from "../users/users.ts";

export interface PasswordSignInRequest {
  readonly username: string;
  readonly password: string;
  /** Honeypot field: people do not see it, so only programs fill it. */
  readonly company?: unknown;
}

/**
 * Returns the user with this name and password. Every failure does the same work and gives the same
 * message: unknown name, wrong or no password, disabled user, filled honeypot.
 * @throws SignInRefusal
 */
export async function verifyPasswordSignIn(
  attempt: PasswordSignInRequest,
  client: SignInClient,
  context: Context,
): Promise<UserRow> {
  const { username, password } = attempt;
  const user = await findUserByName(username, context);
  const match = await comparePassword(password, user, client, context);
  const fault = isHoneypotFilled(attempt.company) ? "honeypot" : "credentials";
  if (!user || match === null || fault === "honeypot" || user.disabledAt) {
    await recordFailure({ username, user, fault, client }, context);
    throw wrongCredentialsError(fault);
  }
  const isOld = match === "as_sent" || isPasswordHashOutdated(user, context.config);
  if (isOld && !isHashQueueBusy()) await renewHash(user, password, client, context);
  return user;
}

/** True if the honeypot field was filled, with any value. */
export const isHoneypotFilled = (company: unknown): boolean =>
  company !== undefined && company !== "";

interface FailedSignIn {
  readonly username: string;
  readonly user: UserRow | null;
  readonly fault: RefusalReason;
  readonly client: SignInClient;
}

/** Some people type the password into the name field, so record only a pseudonym of an unknown name. */
function recordFailure(failure: FailedSignIn, { config, sequelize }: Context): Promise<void> {
  const { username, user, fault, client } = failure;
  const line = {
    actorId: null,
    action: "auth.login.failure",
    target: user ? { type: "user", id: user.id } : undefined,
    address: client.address,
    detail: user
      ? { fault }
      : { fault, username: computePseudonym(foldUsername(username), config) },
  };
  return inCallersTransaction(sequelize, (transaction) => recordActivity(line, transaction));
}

/** Replaces an outdated hash. While hashing is busy, the hash stays as it is, so that no sign-in waits. */
async function renewHash(
  { id, passwordHash }: UserRow,
  password: string,
  { address }: SignInClient,
  { config, models }: Context,
): Promise<void> {
  const stored = await hashPassword(password, config, address);
  const renewed = { ...stored, updatedAt: transactionStart() };
  await models.User.update(renewed, { where: { id, passwordHash } });
}
