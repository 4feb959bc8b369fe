import type { Context } from "../context.ts";
import { hashPassword, isOutdated, verifyPassword } from "../crypto/passwords.ts";
import { pseudonym } from "../crypto/pseudonym.ts";
import { isBusy } from "../crypto/slow-hash.ts";
import { inTransaction } from "../db/transaction.ts";
import { recordActivity } from "../site/activity.ts";
import type { Client } from "./client.ts";
import { type SignInFault, wrongCredentials } from "./refusals.ts";
import { withinPairLimit } from "./throttle.ts";
import { usernameKey } from "./usernames.ts";
import { findUserByName, type UserRow } from "./users.ts";

export interface PasswordAttempt {
  readonly username: string;
  readonly password: string;
  /** A field people do not see: whatever fills it is a program. */
  readonly company?: unknown;
}

/**
 * The user whose name and password these are. Every failure takes the same time and ends in the
 * same words: unknown, wrong, without a password, disabled, or caught by the hidden field.
 * @throws SignInRefusal
 */
export function provePassword(
  attempt: PasswordAttempt,
  client: Client,
  context: Context,
): Promise<UserRow> {
  const pair = { username: attempt.username, address: client.address };
  return withinPairLimit(pair, context, () => compare(attempt, client, context));
}

async function compare(
  attempt: PasswordAttempt,
  client: Client,
  context: Context,
): Promise<UserRow> {
  const { username, password } = attempt;
  const user = await findUserByName(username, context.sequelize);
  const correct = await verifyPassword(password, user, context.config);
  const fault = isTrap(attempt.company) ? "honeypot" : "credentials";
  if (!user || !correct || fault === "honeypot" || user.disabledAt) {
    await recordFailure({ username, user, fault, client }, context);
    throw wrongCredentials(fault);
  }
  await renewHash(user, password, context);
  return user;
}

/** Whether the field that people do not see was filled, with whatever it was. */
export const isTrap = (company: unknown): boolean => company !== undefined && company !== "";

interface Failure {
  readonly username: string;
  readonly user: UserRow | null;
  readonly fault: SignInFault;
  readonly client: Client;
}

/** People type passwords into the field for names, so an unknown name is kept as a pseudonym. */
function recordFailure(failure: Failure, { config, sequelize }: Context): Promise<void> {
  const { username, user, fault, client } = failure;
  const line = {
    actorId: null,
    action: "auth.login.failure",
    target: user ? { type: "user", id: user.id } : undefined,
    address: client.address,
    detail: user ? { fault } : { fault, username: pseudonym(usernameKey(username), config) },
  };
  return inTransaction(sequelize, (transaction) => recordActivity(line, transaction));
}

/**
 * A hash of an older cost or pepper is made anew; unlike a new password it ends no session. While
 * sign-ins wait for their turn it is left to a later one: it must make none of them wait or fail.
 */
async function renewHash(user: UserRow, password: string, context: Context): Promise<void> {
  const { config, sequelize } = context;
  if (!isOutdated(user, config) || isBusy()) return;
  const { passwordHash, pepperId } = await hashPassword(password, config);
  await sequelize.query(
    `update users set password_hash = $1, pepper_id = $2, updated_at = now()
     where id = $3 and password_hash = $4`,
    { bind: [passwordHash, pepperId, user.id, user.passwordHash] },
  );
}
