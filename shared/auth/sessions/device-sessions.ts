import { col, Op } from "sequelize";

import type { DeviceSession } from "../../../models/auth/device-session.ts";
import type { RefreshToken } from "../../../models/auth/refresh-token.ts";
import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import { lockCaller } from "./lock-caller.ts";
import { reissueSession, type ReissuedSession } from "./reissue.ts";
import { revokeAllAccess, revokeDeviceSession } from "./revocation.ts";

/** A device that the app is signed in on. */
export interface ListedDeviceSession
  extends
    Readonly<Pick<DeviceSession, "createdAt">>,
    Readonly<Pick<RefreshToken, "deviceName" | "lastUsedAt">> {
  /** The id of the token family, which refreshes do not change. */
  readonly id: number;
}

/** Lists the live device sessions, last used first. */
export async function listDeviceSessions(
  userId: number,
  { models }: Context,
): Promise<ListedDeviceSession[]> {
  const user = { association: "user", attributes: [], required: true };
  const live = {
    model: models.MobileFamily.scope("live"),
    as: "family",
    attributes: ["id", "createdAt"],
    where: { userId },
    include: [user],
  };
  const sessions = await models.MobileSession.scope("live").findAll({
    attributes: ["deviceName", "lastUsedAt"],
    where: { generation: { [Op.eq]: col("family->user.generation") } },
    include: [live],
    order: [
      ["lastUsedAt", "DESC"],
      ["familyId", "DESC"],
    ],
  });
  return sessions.map(({ deviceName, lastUsedAt, family }) => {
    const { id, createdAt } = family as DeviceSession;
    return { id, deviceName, createdAt, lastUsedAt };
  });
}

/** @returns false if the session has ended or belongs to another user */
export function endDeviceSession(
  caller: Caller,
  familyId: number,
  client: SignInClient,
  context: Context,
): Promise<boolean> {
  const { userId } = caller;
  return inCallersTransaction(context.sequelize, async (transaction) => {
    await lockCaller(caller, transaction, context);
    const ended = await revokeDeviceSession({ userId, familyId, reason: "revoked" }, transaction);
    if (!ended) return false;
    const detail = { session: familyId };
    await recordOwnActivity(
      { userId, action: "auth.session.revoked", client, detail },
      transaction,
    );
    return true;
  });
}

export interface RevokedSessions {
  /** Number of ended device sessions, without the caller's own. */
  readonly revoked: number;
  readonly own: ReissuedSession;
}

/** Ends all other web and device sessions and issues a new token for the caller's own. */
export function endOtherSessions(
  caller: Caller,
  client: SignInClient,
  context: Context,
): Promise<RevokedSessions> {
  const { userId, familyId: spared } = caller;
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const authorized = await lockCaller(caller, transaction, context);
    const revocation = { reason: "revoked", trustedDevices: false, spared };
    const revoked = await revokeAllAccess(userId, revocation, transaction);
    const detail = { revoked };
    await recordOwnActivity(
      { userId, action: "auth.session.revoked", client, detail },
      transaction,
    );
    return { revoked, own: await reissueSession(authorized, caller, context) };
  });
}
