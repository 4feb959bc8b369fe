import { Op, type Transaction } from "sequelize";

import type { RefreshToken } from "../../../models/auth/refresh-token.ts";
import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { SignInClient } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { sealTextByToken, unsealTextByToken } from "../../platform/crypto/sealed.ts";
import { hashToken } from "../../platform/crypto/tokens.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import {
  codeRequiredError,
  wrongCodeError,
  overtakenRefreshTokenError,
  SignInRefusal,
  wrongRefreshTokenError,
} from "../rules/sign-in-errors.ts";
import {
  consumeSecondFactor,
  factorOf,
  type FactorFields,
} from "../second-factor/second-factor.ts";
import { AuthorizedUser } from "../sessions/authorized-user.ts";
import {
  type MobileSignIn,
  openDeviceSession,
  issueNextTokenPair,
  createTokenPair,
} from "../sessions/mobile-tokens.ts";
import { revokeDeviceSession } from "../sessions/revocation.ts";
import { enqueueNoticeMail } from "../users/order-mail.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import { type LockedUser, lockUser, type UserRow } from "../users/users.ts";
import { authorizeProvenUser, recordLogin } from "./authorize-login.ts";

export interface MobileLoginRequest extends FactorFields {
  /** The user whose password was correct. */
  readonly proven: UserRow;
  readonly deviceName: string | null;
}

/**
 * Signs the app in with a correct password and a second factor in one request. It trusts no device,
 * because the app keeps its session by refreshing.
 * @throws SignInRefusal
 */
export async function mobileLogin(
  attempt: MobileLoginRequest,
  client: SignInClient,
  context: Context,
): Promise<MobileSignIn> {
  const { proven, deviceName, code, recoveryCode } = attempt;
  const finish = async (authorized: AuthorizedUser, amr: readonly string[]) => {
    await recordLogin(authorized, { amr, via: "mobile", client });
    return {
      user: authorized.user,
      pair: await openDeviceSession(authorized, deviceName, context),
    };
  };
  if (!proven.totpEnabled || (code === undefined && recoveryCode === undefined)) {
    return inCallersTransaction(context.sequelize, async (transaction) => {
      // Check under the lock: the second factor may have been enabled since the password check.
      const authorized = await authorizeProvenUser(
        proven,
        await lockUser(proven.id, transaction),
        context,
      );
      if (authorized.user.totpEnabled) throw codeRequiredError();
      return finish(authorized, ["pwd"]);
    });
  }
  const factor = factorOf({ code, recoveryCode });
  const amr = ["pwd", "recoveryCode" in factor ? "recovery" : "otp"];
  const act = async (user: LockedUser) =>
    finish(await authorizeProvenUser(proven, user, context), amr);
  const use = { userId: proven.id, factor, purpose: "auth", client, act } as const;
  const done = await consumeSecondFactor(use, context);
  if (!done) throw wrongCodeError();
  return done.result;
}

/** The encryption context of a refresh token that is stored in the row of its used predecessor. */
const successorSealContext = "mobile_sessions|successor";

/**
 * Exchanges a refresh token for a new pair of tokens. A retry within the grace period gets the same refresh token
 * again: the answer may be lost, or the client may send several requests at once. If a used token is used again
 * after the grace period, it was stolen, so the device session ends.
 * @throws SignInRefusal
 */
export async function refreshTokens(
  refreshToken: string,
  client: SignInClient,
  context: Context,
): Promise<MobileSignIn> {
  const tokenHash = hashToken(refreshToken);
  const owner = await findTokenOwner(tokenHash, context);
  if (!owner) throw wrongRefreshTokenError();
  await context.rateLimits.countUse("refreshFamily", String(owner.familyId));
  const use = { refreshToken, tokenHash, holder: owner, client };
  const refreshed = await inCallersTransaction(context.sequelize, (transaction) =>
    rotate(use, transaction, context),
  );
  if (refreshed instanceof SignInRefusal) throw refreshed;
  return refreshed;
}

interface RefreshRequest {
  readonly refreshToken: string;
  readonly tokenHash: Buffer;
  readonly holder: TokenOwner;
  readonly client: SignInClient;
}

/**
 * Issues the next pair of tokens.
 * @returns a refusal instead of throwing it, so that a revocation in the transaction commits
 */
async function rotate(
  use: RefreshRequest,
  transaction: Transaction,
  context: Context,
): Promise<MobileSignIn | SignInRefusal> {
  const { tokenHash, holder } = use;
  const user = await lockUser(holder.userId, transaction);
  if (!user) return wrongRefreshTokenError();
  const authorized = await authorizeTokenOwner(holder, user, context);
  const { MobileSession } = context.models;
  const consumed = authorized && (await MobileSession.consumeOnce(tokenHash, transaction));
  if (consumed) return addSuccessor(consumed, use, authorized, context);
  const repeated = authorized && (await returnSuccessor(use, authorized, context));
  if (repeated) return repeated;
  await revokeIfReused(use, user, context);
  return wrongRefreshTokenError();
}

async function addSuccessor(
  consumed: RefreshToken,
  { refreshToken, holder }: RefreshRequest,
  authorized: AuthorizedUser,
  context: Context,
): Promise<MobileSignIn> {
  const renewed = await authorized.renew();
  const link = { ...holder, deviceName: consumed.deviceName };
  const pair = await issueNextTokenPair(renewed, link, context);
  if (context.config.REFRESH_GRACE > 0) {
    const successorSealed = sealTextByToken(pair.refreshToken, refreshToken, successorSealContext);
    await consumed.update({ successorSealed }, { transaction: authorized.transaction });
  }
  return { user: renewed.user, pair };
}

/** Returns the unused successor of a token that was used within the grace period; null for any other token. */
async function returnSuccessor(
  { refreshToken, tokenHash, holder }: RefreshRequest,
  authorized: AuthorizedUser,
  context: Context,
): Promise<MobileSignIn | SignInRefusal | null> {
  const { config, models } = context;
  const { MobileSession } = models;
  const { transaction } = authorized;
  const consumedAt = { [Op.gt]: clockNowPlus(-config.REFRESH_GRACE) };
  const used = await MobileSession.findOne({ where: { tokenHash, consumedAt }, transaction });
  if (!used) return null;
  const { successorSealed } = used;
  if (successorSealed === null) return overtakenRefreshTokenError();
  const successor = unsealTextByToken(successorSealed, refreshToken, successorSealContext);
  // A stored successor may already be used, because the previous release does not clear successors that are used.
  const where = { tokenHash: hashToken(successor) };
  const isUnused = (await MobileSession.scope("live").count({ where, transaction })) > 0;
  if (!isUnused) return overtakenRefreshTokenError();
  const renewed = await authorized.renew();
  return { user: renewed.user, pair: await createTokenPair(successor, renewed, holder, config) };
}

async function authorizeTokenOwner(
  { userId, familyId, generation }: TokenOwner,
  user: LockedUser,
  context: Context,
): Promise<AuthorizedUser | null> {
  if (generation === null) return null;
  const basis = { userId, generation, familyId, tokenId: null, expiresAt: null };
  return AuthorizedUser.authorize({ ...basis, signedInAt: null }, user, context);
}

/** Ends the device session of a refresh token, if it exists. */
export async function mobileLogout(
  refreshToken: string,
  client: SignInClient,
  context: Context,
): Promise<void> {
  const owner = await findTokenOwner(hashToken(refreshToken), context);
  if (!owner) return;
  await inCallersTransaction(context.sequelize, async (transaction) => {
    await lockUser(owner.userId, transaction);
    const ended = await revokeDeviceSession({ ...owner, reason: "logout" }, transaction);
    const { userId } = owner;
    if (ended) await recordOwnActivity({ userId, action: "auth.logout", client }, transaction);
  });
}

interface TokenOwner {
  readonly familyId: number;
  readonly userId: number;
  readonly generation: number | null;
  readonly signedInAt: number;
}

async function findTokenOwner(tokenHash: Buffer, { models }: Context): Promise<TokenOwner | null> {
  const session = await models.MobileSession.findOne({
    attributes: ["familyId", "generation"],
    where: { tokenHash },
    include: [{ association: "family", attributes: ["userId", "signedInAt"], required: true }],
  });
  if (!session?.family) return null;
  const { familyId, generation, family } = session;
  return { familyId, generation, userId: family.userId, signedInAt: family.signedInAt };
}

/** Ends the device session if the token was reused. Tokens of older generations prove no theft. */
async function revokeIfReused(
  { tokenHash, holder, client }: RefreshRequest,
  { generation, transaction }: LockedUser,
  context: Context,
): Promise<void> {
  const reused = {
    tokenHash,
    generation,
    consumedAt: { [Op.lte]: clockNowPlus(-context.config.REFRESH_GRACE) },
  };
  const isReused = (await context.models.MobileSession.count({ where: reused, transaction })) > 0;
  if (!isReused || !(await revokeDeviceSession({ ...holder, reason: "reuse" }, transaction))) {
    return;
  }
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
  await enqueueNoticeMail(userId, "sessionStolen", transaction, context);
}
