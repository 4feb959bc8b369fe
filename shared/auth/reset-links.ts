import { QueryTypes } from "sequelize";

import type { Context } from "../context.ts";
import { hashToken, newToken } from "../crypto/tokens.ts";
import { deadLink } from "./dead-link.ts";

/** A link as it goes into a mail. Behind the `#` it reaches no server's log. */
export interface ResetLink {
  readonly link: string;
  readonly token: string;
}

export async function makeResetLink(
  userId: number,
  { sequelize, config }: Context,
): Promise<ResetLink> {
  const token = newToken();
  await sequelize.query(
    `insert into password_resets (token_hash, user_id, expires_at)
     values ($1, $2, clock_timestamp() + make_interval(secs => $3))`,
    { bind: [hashToken(token), userId, config.RESET_TTL / 1000] },
  );
  return { link: `${config.PUBLIC_BASE_URL}/reset#token=${token}`, token };
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
