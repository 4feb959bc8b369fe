import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { unauthenticated } from "../errors.ts";
import type { Caller } from "./caller.ts";
import { type MobileSignedIn, openFamily } from "./mobile-tokens.ts";
import { mintSession, type SessionToken } from "./sessions.ts";
import { lockUser } from "./users.ts";

/** The caller's session after all were ended, in the form he came with. */
export type Reissued = { readonly session: SessionToken } | MobileSignedIn;

/** A new session in place of the caller's own; the sign-in behind it stays as old as it was. */
export async function reissue(
  { userId, via, familyId, signedInAt, amr }: Caller,
  transaction: Transaction,
  context: Context,
): Promise<Reissued> {
  // Read after the cut, so that the new session is issued above it.
  const user = await lockUser(userId, transaction);
  if (!user) throw unauthenticated();
  if (via === "web") {
    return { session: await mintSession({ user, amr, signedInAt }, context.config) };
  }
  const { rows } = await sqlOf(transaction).query<{ deviceName: string | null }>(
    `select device_name as "deviceName" from mobile_sessions
     where family_id = $1 order by id desc limit 1`,
    [familyId],
  );
  const deviceName = rows[0]?.deviceName ?? null;
  return { user, pair: await openFamily({ user, deviceName, signedInAt }, transaction, context) };
}
