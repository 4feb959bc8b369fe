import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { unauthenticatedError } from "../../platform/errors/errors.ts";
import type { AuthorizedUser } from "./authorized-user.ts";
import { issueNextTokenPair, type MobileSignIn } from "./mobile-tokens.ts";
import { mintSession, type SessionToken } from "./sessions.ts";

/** The caller's reissued session, of the same kind as before: a web session or a device session. */
export type ReissuedSession = { readonly session: SessionToken } | MobileSignIn;

/**
 * Issues a new token for the caller's own session after a revocation. The session keeps its start, end
 * and id: otherwise a thief could extend it for ever or past the owner's logout.
 */
export async function reissueSession(
  authorized: AuthorizedUser,
  caller: Caller,
  context: Context,
): Promise<ReissuedSession> {
  const renewed = await authorized.renew();
  const { familyId, amr, signedInAt } = caller;
  if (familyId === null) {
    return { session: await mintSession(renewed, { amr, continued: caller }, context.config) };
  }
  const deviceName = await retireToken(familyId, renewed);
  const link = { familyId, deviceName, signedInAt };
  return { user: renewed.user, pair: await issueNextTokenPair(renewed, link, context) };
}

/** Invalidates the family's last refresh token. @returns the device's name */
async function retireToken(
  familyId: number,
  { transaction }: AuthorizedUser,
): Promise<string | null> {
  const { MobileSession } = modelsOf(transaction);
  const retired = await MobileSession.retireLatest(familyId, transaction);
  if (!retired) throw unauthenticatedError();
  return retired.deviceName;
}
