import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { SignInClient } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword } from "../../platform/crypto/passwords.ts";
import { hashToken, generateToken } from "../../platform/crypto/tokens.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import { addressKey } from "../../platform/net/networks.ts";
import { emailKey, isEmail } from "../rules/emails.ts";
import { checkPassword } from "../rules/password-policy.ts";
import { invalidLinkError } from "../rules/sign-in-errors.ts";
import { isRateLimitError } from "../throttle/login-limits.ts";
import { enqueueMail, enqueueNoticeMail } from "../users/order-mail.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import { lockUser } from "../users/users.ts";
import { setPassword } from "./account.ts";

/** Accepts a reset request. A job finds the account, so answer and timing do not reveal if it exists. */
export async function requestReset(
  text: string,
  client: SignInClient,
  { mail, queue, rateLimits }: Context,
): Promise<void> {
  const email = emailKey(text);
  if (!isEmail(email) || !mail.isOn) return;
  try {
    await rateLimits.countUse("resetMail", email);
  } catch (error) {
    if (!isRateLimitError(error)) throw error;
    return;
  }
  await queue.enqueue("auth.order-reset-mails", { email, address: addressKey(client.address) });
}

/** Queues one mail for each account with the address. @returns the number of accounts */
export function enqueueResetMails(
  { email, address }: { readonly email: string; readonly address: string },
  context: Context,
): Promise<number> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const where = { emailKey: email };
    const read = { attributes: ["id"], where, order: ["id"], transaction };
    const users = await context.models.User.scope("enabled").findAll(read);
    for (const { id } of users) {
      const target = { type: "user", id };
      const action = "auth.password.reset_requested";
      await recordActivity({ actorId: null, action, target, address }, transaction);
      await enqueueMail({ letter: "reset", userId: id }, transaction, context);
    }
    return users.length;
  });
}

/**
 * Sets the password by a reset link, invalidates all reset links of the user and ends all sessions. The
 * second factor stays, and the user is not signed in.
 * @throws AppError invalid for a weak password, which leaves the link usable
 * @throws SignInRefusal if the link is dead or another request used it first
 */
export async function confirmReset(
  reset: OpenResetLink,
  password: string,
  client: SignInClient,
  context: Context,
): Promise<void> {
  const { userId, username, tokenHash } = reset;
  const { PasswordReset } = context.models;
  const faults = checkPassword(password, { username });
  if (faults.length > 0) throw invalidFieldsError(faults);
  const stored = await hashPassword(password, context.config, client.address);
  await inCallersTransaction(context.sequelize, async (transaction) => {
    // Lock the user's row first, as everywhere: otherwise two links of one user could deadlock.
    const user = await lockUser(userId, transaction);
    if (!user || user.disabledAt) throw invalidLinkError();
    if (!(await PasswordReset.useOnce(tokenHash, transaction))) throw invalidLinkError();
    await PasswordReset.endAllOf(userId, transaction);
    await setPassword(userId, stored, transaction);
    await recordOwnActivity({ userId, action: "auth.password.reset", client }, transaction);
    await enqueueNoticeMail(userId, "passwordChanged", transaction, context);
  });
}

/** A link for a mail. Browsers do not send the part after `#`, so no server logs the token. */
interface ResetLink {
  readonly link: string;
  readonly token: string;
  readonly username: string;
  readonly email: string;
}

/**
 * Makes a reset link for the current address of the user. A change of the address ends all earlier links; the
 * lock of the row keeps this function from making a link for the former address afterwards.
 * @returns null if the user is deleted, disabled or without an address
 */
export function makeResetLink(
  userId: number,
  { sequelize, models, config }: Context,
): Promise<ResetLink | null> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const user = await lockUser(userId, transaction);
    if (!user?.email || user.disabledAt) return null;
    const token = generateToken();
    await models.PasswordReset.create(
      { tokenHash: hashToken(token), userId, expiresAt: clockNowPlus(config.RESET_TTL) },
      { transaction },
    );
    const link = `${config.PUBLIC_BASE_URL}/reset#token=${token}`;
    return { link, token, username: user.username, email: user.email };
  });
}

/** Deletes a link whose mail was not sent. */
export async function deleteResetLink(token: string, { models }: Context): Promise<void> {
  await models.PasswordReset.destroy({ where: { tokenHash: hashToken(token) } });
}

/** An open reset link and its user. */
export interface OpenResetLink {
  readonly tokenHash: Buffer;
  readonly userId: number;
  readonly username: string;
  readonly expiresAt: Date;
}

/** Finds a link without using it up: mail scanners open links too. @throws SignInRefusal if it is dead */
export async function findResetLink(token: string, { models }: Context): Promise<OpenResetLink> {
  const tokenHash = hashToken(token);
  const user = { association: "user", attributes: ["username"], where: { disabledAt: null } };
  const reset = await models.PasswordReset.scope("open").findOne({
    where: { tokenHash },
    include: [user],
  });
  if (!reset?.user) throw invalidLinkError();
  const { userId, expiresAt } = reset;
  return { tokenHash, userId, username: reset.user.username, expiresAt };
}
