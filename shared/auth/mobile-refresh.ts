import { QueryTypes, type Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { hashToken } from "../crypto/tokens.ts";
import { type Sql, sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { recordActivity } from "../site/activity.ts";
import type { Client } from "./client.ts";
import { addToFamily, type MobileSignedIn } from "./mobile-tokens.ts";
import { tellUser } from "./order-mail.ts";
import { recordOwn } from "./own-activity.ts";
import { wrongRefreshToken } from "./refusals.ts";
import { revokeFamily } from "./revocation.ts";
import { lockUser, type UserRow } from "./users.ts";

/**
 * The next pair for a refresh token, which is used up. A token that comes back later than a lost
 * answer would has been stolen, from one side or the other: its whole family ends.
 * @throws SignInRefusal
 */
export async function refresh(
  refreshToken: string,
  client: Client,
  context: Context,
): Promise<MobileSignedIn> {
  const tokenHash = hashToken(refreshToken);
  const holder = await findHolder(tokenHash, context);
  if (!holder) throw wrongRefreshToken();
  await context.rateLimits.spend("refreshFamily", String(holder.familyId));
  const use = { tokenHash, holder, client };
  const refreshed = await inTransaction(context.sequelize, (transaction) =>
    rotate(use, transaction, context),
  );
  if (!refreshed) throw wrongRefreshToken();
  return refreshed;
}

interface TokenUse {
  readonly tokenHash: Buffer;
  readonly holder: Holder;
  readonly client: Client;
}

async function rotate(
  use: TokenUse,
  transaction: Transaction,
  context: Context,
): Promise<MobileSignedIn | null> {
  const { tokenHash, holder } = use;
  // The same lock as a password change and a revocation take: none of them overtakes the other.
  const user = await lockUser(holder.userId, transaction);
  if (!user || user.disabledAt) return null;
  const spent = await spendToken(tokenHash, user, sqlOf(transaction));
  if (!spent) {
    await endIfReused(use, transaction, context);
    return null;
  }
  return { user, pair: await addToFamily({ ...holder, ...spent, user }, transaction, context) };
}

/** Ends the device session a refresh token belongs to, if there is one. */
export async function mobileLogout(
  refreshToken: string,
  client: Client,
  context: Context,
): Promise<void> {
  const holder = await findHolder(hashToken(refreshToken), context);
  if (!holder) return;
  await inTransaction(context.sequelize, async (transaction) => {
    await lockUser(holder.userId, transaction);
    const ended = await revokeFamily({ ...holder, reason: "logout" }, transaction);
    const { userId } = holder;
    if (ended) await recordOwn({ userId, action: "auth.logout", client }, transaction);
  });
}

interface Holder {
  readonly familyId: number;
  readonly userId: number;
  readonly signedInAt: number;
}

async function findHolder(tokenHash: Buffer, { sequelize }: Context): Promise<Holder | null> {
  const [holder] = await sequelize.query<Holder>(
    `select family.id as "familyId", family.user_id as "userId",
            family.signed_in_at as "signedInAt"
     from mobile_sessions session join mobile_families family on family.id = session.family_id
     where session.token_hash = $1`,
    { bind: [tokenHash], type: QueryTypes.SELECT },
  );
  return holder ?? null;
}

/** One conditional statement decides who uses the token: of any number at once, one. */
async function spendToken(
  tokenHash: Buffer,
  { tokensValidAfter }: UserRow,
  sql: Sql,
): Promise<{ readonly deviceName: string | null } | null> {
  const { rows } = await sql.query<{ deviceName: string | null }>(
    `update mobile_sessions session set consumed_at = clock_timestamp()
     from mobile_families family
     where session.token_hash = $1 and family.id = session.family_id
       and session.consumed_at is null and session.expires_at > clock_timestamp()
       and session.issued_at > $2
       and family.revoked_at is null and family.expires_at > clock_timestamp()
     returning session.device_name as "deviceName"`,
    [tokenHash, tokensValidAfter],
  );
  return rows[0] ?? null;
}

async function endIfReused(
  { tokenHash, holder, client }: TokenUse,
  transaction: Transaction,
  context: Context,
): Promise<void> {
  const { rowCount } = await sqlOf(transaction).query(
    `select from mobile_sessions where token_hash = $1
       and consumed_at <= clock_timestamp() - make_interval(secs => $2)`,
    [tokenHash, context.config.REFRESH_GRACE / 1000],
  );
  if (!rowCount || !(await revokeFamily({ ...holder, reason: "reuse" }, transaction))) return;
  const { userId, familyId } = holder;
  await recordActivity(
    {
      actorId: null,
      action: "auth.refresh.reuse",
      target: { type: "user", id: userId },
      address: client.address,
      detail: { session: familyId },
    },
    transaction,
  );
  await tellUser(userId, "sessionStolen", transaction, context);
}
