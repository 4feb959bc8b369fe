import { clockAfter } from "../../../models/queries/clock.ts";
import type { Client } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword } from "../../platform/crypto/passwords.ts";
import { hashToken, newToken } from "../../platform/crypto/tokens.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { invalidFields } from "../../platform/errors/errors.ts";
import { addressKey } from "../../platform/net/networks.ts";
import { emailKey, isEmail } from "../rules/emails.ts";
import { checkPassword } from "../rules/password-policy.ts";
import { deadLink } from "../rules/refusals.ts";
import { isLimited } from "../throttle/throttle.ts";
import { orderMail, tellUser } from "../users/order-mail.ts";
import { recordOwn } from "../users/own-activity.ts";
import { lockUser } from "../users/users.ts";
import { setPassword } from "./account.ts";

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
    const where = { emailKey: email };
    const read = { attributes: ["id"], where, order: ["id"], transaction };
    const users = await context.models.User.scope("enabled").findAll(read);
    for (const { id } of users) {
      const target = { type: "user", id };
      const action = "auth.password.reset_requested";
      await recordActivity({ actorId: null, action, target, address }, transaction);
      await orderMail({ letter: "reset", userId: id }, transaction, context);
    }
    return users.length;
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
  const { userId, username, tokenHash } = reset;
  const { PasswordReset } = context.models;
  const faults = checkPassword(password, { username });
  if (faults.length > 0) throw invalidFields(faults);
  const stored = await hashPassword(password, context.config, client.address);
  await inTransaction(context.sequelize, async (transaction) => {
    // Lock the user's row first, as everywhere, or two links of one user could deadlock.
    const user = await lockUser(userId, transaction);
    if (!user || user.disabledAt) throw deadLink();
    if (!(await PasswordReset.useOnce(tokenHash, transaction))) throw deadLink();
    await PasswordReset.endAllOf(userId, transaction);
    await setPassword(userId, stored, transaction);
    await recordOwn({ userId, action: "auth.password.reset", client }, transaction);
    await tellUser(userId, "passwordChanged", transaction, context);
  });
}

/** A link as it goes into a mail. Behind the `#` it reaches no server's log. */
interface ResetLink {
  readonly link: string;
  readonly token: string;
  readonly username: string;
  /** Where it may go, and nowhere else. */
  readonly email: string;
}

/**
 * Makes a link for the address the user has while their row is locked: a change of the address ends
 * the links made before it, so none is made for the former one after it.
 * @returns null when there is nobody to send one to
 */
export function makeResetLink(
  userId: number,
  { sequelize, models, config }: Context,
): Promise<ResetLink | null> {
  return inTransaction(sequelize, async (transaction) => {
    const user = await lockUser(userId, transaction);
    if (!user?.email || user.disabledAt) return null;
    const token = newToken();
    await models.PasswordReset.create(
      { tokenHash: hashToken(token), userId, expiresAt: clockAfter(config.RESET_TTL) },
      { transaction },
    );
    const link = `${config.PUBLIC_BASE_URL}/reset#token=${token}`;
    return { link, token, username: user.username, email: user.email };
  });
}

/** Takes a link back that nobody was sent. */
export async function withdrawReset(token: string, { models }: Context): Promise<void> {
  await models.PasswordReset.destroy({ where: { tokenHash: hashToken(token) } });
}

/** An open link, and whose it is. */
export interface LiveReset {
  readonly tokenHash: Buffer;
  readonly userId: number;
  readonly username: string;
  readonly expiresAt: Date;
}

/** Reads without using the link up, because mail scanners open links too. @throws SignInRefusal when it is dead */
export async function findReset(token: string, { models }: Context): Promise<LiveReset> {
  const tokenHash = hashToken(token);
  const user = { association: "user", attributes: ["username"], where: { disabledAt: null } };
  const reset = await models.PasswordReset.scope("open").findOne({
    where: { tokenHash },
    include: [user],
  });
  if (!reset?.user) throw deadLink();
  const { userId, expiresAt } = reset;
  return { tokenHash, userId, username: reset.user.username, expiresAt };
}
