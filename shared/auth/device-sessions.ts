import { QueryTypes } from "sequelize";

import type { Context } from "../context.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./client.ts";
import { lockCaller } from "./own-account.ts";
import { recordOwn } from "./own-activity.ts";
import { reissue, type Reissued } from "./reissue.ts";
import { revokeAll, revokeFamily } from "./revocation.ts";

/** A device that is signed in by the app. */
export interface DeviceSession {
  /** The family's: it stays the same over refreshes. */
  readonly id: number;
  readonly deviceName: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

/** Device sessions that live, the latest used first. */
export const listDeviceSessions = (
  userId: number,
  { sequelize }: Context,
): Promise<DeviceSession[]> =>
  sequelize.query<DeviceSession>(
    `select family.id, session.device_name as "deviceName", family.created_at as "createdAt",
            session.last_used_at as "lastUsedAt"
     from mobile_families family
     join mobile_sessions session on session.family_id = family.id and session.consumed_at is null
     join users on users.id = family.user_id
     where family.user_id = $1 and family.revoked_at is null and family.expires_at > now()
       and session.expires_at > now() and session.issued_at > users.tokens_valid_after
     order by session.last_used_at desc, family.id desc`,
    { bind: [userId], type: QueryTypes.SELECT },
  );

/** @returns false for a session of somebody else as for one that does not live */
export function endDeviceSession(
  caller: Caller,
  familyId: number,
  client: Client,
  { sequelize }: Context,
): Promise<boolean> {
  const { userId } = caller;
  return inTransaction(sequelize, async (transaction) => {
    await lockCaller(caller, transaction);
    const ended = await revokeFamily({ userId, familyId, reason: "revoked" }, transaction);
    if (!ended) return false;
    const detail = { session: familyId };
    await recordOwn({ userId, action: "auth.session.revoked", client, detail }, transaction);
    return true;
  });
}

export interface EndedSessions {
  /** Device sessions that ended, the caller's own not counted. */
  readonly revoked: number;
  readonly own: Reissued;
}

/** Ends every session, by web and by app; the caller's own is issued anew. */
export function endOtherSessions(
  caller: Caller,
  client: Client,
  context: Context,
): Promise<EndedSessions> {
  const { userId, via } = caller;
  return inTransaction(context.sequelize, async (transaction) => {
    await lockCaller(caller, transaction);
    const revocation = { reason: "revoked", trustedDevices: false };
    const families = await revokeAll(userId, revocation, transaction);
    const revoked = via === "mobile" ? families - 1 : families;
    const detail = { revoked };
    await recordOwn({ userId, action: "auth.session.revoked", client, detail }, transaction);
    return { revoked, own: await reissue(caller, transaction, context) };
  });
}
