import { QueryTypes } from "sequelize";

import type { Context } from "../context.ts";
import { hashToken, newToken } from "../crypto/tokens.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { deadLink } from "./dead-link.ts";
import { lockUser } from "./users.ts";

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
  { sequelize, config }: Context,
): Promise<ResetLink | null> {
  return inTransaction(sequelize, async (transaction) => {
    const user = await lockUser(userId, transaction);
    if (!user?.email || user.disabledAt) return null;
    const token = newToken();
    await sqlOf(transaction).query(
      `insert into password_resets (token_hash, user_id, expires_at)
       values ($1, $2, clock_timestamp() + make_interval(secs => $3))`,
      [hashToken(token), userId, config.RESET_TTL / 1000],
    );
    const link = `${config.PUBLIC_BASE_URL}/reset#token=${token}`;
    return { link, token, username: user.username, email: user.email };
  });
}

/** Takes a link back that nobody was sent. */
export async function withdrawReset(token: string, { sequelize }: Context): Promise<void> {
  await sequelize.query("delete from password_resets where token_hash = $1", {
    bind: [hashToken(token)],
  });
}

/** What a link opens that is not used up. */
export interface LiveReset {
  readonly tokenHash: Buffer;
  readonly userId: number;
  readonly username: string;
  readonly expiresAt: Date;
}

/** Looks and uses nothing up: mail scanners open links too. @throws SignInRefusal when it is dead */
export async function findReset(token: string, { sequelize }: Context): Promise<LiveReset> {
  const tokenHash = hashToken(token);
  const [reset] = await sequelize.query<Omit<LiveReset, "tokenHash">>(
    `select users.id as "userId", username, expires_at as "expiresAt"
     from password_resets join users on users.id = password_resets.user_id
     where token_hash = $1 and used_at is null and expires_at > clock_timestamp()
       and users.disabled_at is null`,
    { bind: [tokenHash], type: QueryTypes.SELECT },
  );
  if (!reset) throw deadLink();
  return { tokenHash, ...reset };
}
