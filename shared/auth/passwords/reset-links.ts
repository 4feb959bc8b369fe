import { clockAfter } from "../../../models/queries/clock.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, newToken } from "../../platform/crypto/tokens.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { deadLink } from "../rules/dead-link.ts";
import { lockUser } from "../users/users.ts";

/** A link as it goes into a mail. Behind the `#` it reaches no server's log. */
export interface ResetLink {
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
