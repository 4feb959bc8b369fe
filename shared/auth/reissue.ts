import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { unauthenticated } from "../errors.ts";
import type { Caller } from "./caller.ts";
import { type MobileSignedIn, openFamily } from "./mobile-tokens.ts";
import { mintSession, type SessionToken } from "./sessions.ts";
import { lockUser } from "./users.ts";

/** The caller's session after all were ended, in the form it came in. */
export type Reissued = { readonly session: SessionToken } | MobileSignedIn;

/**
 * A new session in place of the caller's own. It is as old as the one it replaces and ends with it,
 * or whoever holds a session could keep it alive for ever.
 */
export async function reissue(
  caller: Caller,
  transaction: Transaction,
  context: Context,
): Promise<Reissued> {
  const { userId, via, familyId, signedInAt, amr } = caller;
  // Read after the cut, so that the new session is issued above it.
  const user = await lockUser(userId, transaction);
  if (!user) throw unauthenticated();
  if (via === "web") {
    return { session: await mintSession({ user, amr, continued: caller }, context.config) };
  }
  const { rows } = await sqlOf(transaction).query<{ deviceName: string | null; expiresAt: Date }>(
    `select session.device_name as "deviceName", family.expires_at as "expiresAt"
     from mobile_sessions session join mobile_families family on family.id = session.family_id
     where family.id = $1 order by session.id desc limit 1`,
    [familyId],
  );
  const [device] = rows;
  if (!device) throw unauthenticated();
  const grounds = { user, deviceName: device.deviceName };
  const continued = { signedInAt, expiresAt: device.expiresAt };
  return { user, pair: await openFamily({ ...grounds, continued }, transaction, context) };
}
