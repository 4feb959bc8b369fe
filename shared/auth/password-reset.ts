import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { hashPassword } from "../crypto/passwords.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalidFields } from "../errors.ts";
import { addressKey } from "../net/address-key.ts";
import { recordActivity } from "../site/activity.ts";
import { setPassword } from "./account.ts";
import type { Client } from "./client.ts";
import { deadLink } from "./dead-link.ts";
import { emailKey, isEmail } from "./emails.ts";
import { orderMail, tellUser } from "./order-mail.ts";
import { recordOwn } from "./own-activity.ts";
import { checkPassword } from "./password-policy.ts";
import type { LiveReset } from "./reset-links.ts";
import { isLimited } from "./throttle.ts";
import { lockUser } from "./users.ts";

/**
 * Takes a request for reset links. Whether anybody has the address is found out later, by a job,
 * so that the answer and its time tell nothing.
 */
export async function requestReset(
  text: string,
  client: Client,
  { mail, queue, rateLimits }: Context,
): Promise<void> {
  const email = emailKey(text);
  if (!isEmail(email) || !mail.isOn) return;
  try {
    await rateLimits.spend("resetMail", email);
  } catch (error) {
    if (!isLimited(error)) throw error;
    return;
  }
  await queue.enqueue("auth.order-reset-mails", { email, address: addressKey(client.address) });
}

/** Orders a mail of its own for each account with the address. @returns how many */
export function orderResetMails(
  { email, address }: { readonly email: string; readonly address: string },
  context: Context,
): Promise<number> {
  return inTransaction(context.sequelize, async (transaction) => {
    const { rows } = await sqlOf(transaction).query<{ id: number }>(
      "select id from users where email_key = $1 and disabled_at is null order by id",
      [email],
    );
    for (const { id } of rows) {
      const target = { type: "user", id };
      const action = "auth.password.reset_requested";
      await recordActivity({ actorId: null, action, target, address }, transaction);
      await orderMail({ letter: "reset", userId: id }, transaction, context);
    }
    return rows.length;
  });
}

/**
 * Sets the password by a link, which is used up with all others of the user. Everything they were
 * signed in by ends; a second factor stays, and nobody is signed in.
 * @throws AppError invalid for a weak password, which leaves the link as it was
 * @throws SignInRefusal when the link is dead, or another request was first
 */
export async function confirmReset(
  reset: LiveReset,
  password: string,
  client: Client,
  context: Context,
): Promise<void> {
  const { userId, username } = reset;
  const faults = checkPassword(password, { username });
  if (faults.length > 0) throw invalidFields(faults);
  const stored = await hashPassword(password, context.config);
  await inTransaction(context.sequelize, async (transaction) => {
    // The user's row comes first, as everywhere: two links of one user must not wait for each other.
    const user = await lockUser(userId, transaction);
    if (!user || user.disabledAt || !(await spend(reset, transaction))) throw deadLink();
    await endResets(userId, transaction);
    await setPassword(userId, stored, transaction);
    await recordOwn({ userId, action: "auth.password.reset", client }, transaction);
    await tellUser(userId, "passwordChanged", transaction, context);
  });
}

async function spend({ tokenHash }: LiveReset, transaction: Transaction): Promise<boolean> {
  const { rowCount } = await sqlOf(transaction).query(
    `update password_resets set used_at = now()
     where token_hash = $1 and used_at is null and expires_at > clock_timestamp()`,
    [tokenHash],
  );
  return rowCount === 1;
}

/** Ends every link the user was sent. */
export async function endResets(userId: number, transaction: Transaction): Promise<void> {
  await sqlOf(transaction).query(
    "update password_resets set used_at = now() where user_id = $1 and used_at is null",
    [userId],
  );
}
