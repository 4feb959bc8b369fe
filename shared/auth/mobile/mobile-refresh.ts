import { Op, type Transaction } from "sequelize";

import { clockAfter } from "../../../models/clock.ts";
import { recordActivity } from "../../activity/activity.ts";
import type { Context } from "../../context.ts";
import { hashToken } from "../../crypto/tokens.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Client } from "../caller/client.ts";
import { tellUser } from "../mail/order-mail.ts";
import { wrongRefreshToken } from "../rules/refusals.ts";
import { Admission } from "../sessions/admission.ts";
import { addToFamily, type MobileSignedIn } from "../sessions/mobile-tokens.ts";
import { revokeFamily } from "../sessions/revocation.ts";
import { recordOwn } from "../users/own-activity.ts";
import { type LockedUser, lockUser } from "../users/users.ts";

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
  const user = await lockUser(holder.userId, transaction);
  const admission = user && (await admitHolder(holder, user, context));
  const { MobileSession } = context.models;
  const consumed = admission && (await MobileSession.consumeOnce(tokenHash, transaction));
  if (!consumed) {
    if (user) await endIfReused(use, user, context);
    return null;
  }
  const renewed = await admission.renew();
  const link = { ...holder, deviceName: consumed.deviceName };
  return { user: renewed.user, pair: await addToFamily(renewed, link, context) };
}

async function admitHolder(
  { userId, familyId, generation }: Holder,
  user: LockedUser,
  context: Context,
): Promise<Admission | null> {
  if (generation === null) return null;
  const grounds = { userId, generation, familyId, tokenId: null, expiresAt: null };
  return Admission.grant({ ...grounds, signedInAt: null }, user, context);
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
  readonly generation: number | null;
  readonly signedInAt: number;
}

async function findHolder(tokenHash: Buffer, { models }: Context): Promise<Holder | null> {
  const session = await models.MobileSession.findOne({
    attributes: ["familyId", "generation"],
    where: { tokenHash },
    include: [{ association: "family", attributes: ["userId", "signedInAt"], required: true }],
  });
  if (!session?.family) return null;
  const { familyId, generation, family } = session;
  return { familyId, generation, userId: family.userId, signedInAt: family.signedInAt };
}

/** A token from before the cut-off proves no theft: it opens nothing any more. */
async function endIfReused(
  { tokenHash, holder, client }: TokenUse,
  { generation, transaction }: LockedUser,
  context: Context,
): Promise<void> {
  const reused = {
    tokenHash,
    generation,
    consumedAt: { [Op.lte]: clockAfter(-context.config.REFRESH_GRACE) },
  };
  const isReused = (await context.models.MobileSession.count({ where: reused, transaction })) > 0;
  if (!isReused || !(await revokeFamily({ ...holder, reason: "reuse" }, transaction))) return;
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
