import type { Context } from "../../context.ts";
import type { Client } from "../caller/client.ts";
import { type SignInRefusal, wrongCredentials } from "../rules/refusals.ts";
import { Admission } from "../sessions/admission.ts";
import { recordOwn } from "../users/own-activity.ts";
import type { LockedUser } from "../users/users.ts";

/** How somebody signs in. */
export interface SignIn {
  /** Methods as RFC 8176 names them, such as `pwd` and `otp`. */
  readonly amr: readonly string[];
  readonly via: "web" | "mobile";
  readonly client: Client;
}

/** What was proved a moment ago, as it was read or as a challenge carries it. */
export interface Proof {
  readonly issuedAt: number;
  /** The user's cut-off when a password was read; a challenge was made under the lock and has none. */
  readonly tokensValidAfter?: number | null;
}

/**
 * Admits the locked user by a proof that still holds: the user may have been disabled or cut off
 * since it was checked.
 * @param user null for one who was deleted since
 * @param refusal the words of the route
 * @throws SignInRefusal
 */
export async function admitByProof(
  { issuedAt, tokensValidAfter: cutOff = null }: Proof,
  user: LockedUser | null,
  context: Context,
  refusal: () => SignInRefusal = wrongCredentials,
): Promise<Admission> {
  if (!user) throw refusal();
  const noCredential = { tokenId: null, familyId: null, signedInAt: null };
  const grounds = { userId: user.id, issuedAt, cutOff, ...noCredential };
  const admission = await Admission.grant(grounds, user, context);
  if (!admission) throw refusal();
  return admission;
}

/** The last step of every sign-in; what the client needs is minted in the same transaction. */
export async function completeLogin(
  { user, transaction }: Admission,
  { amr, via, client }: SignIn,
): Promise<void> {
  const action = "auth.login.success";
  await recordOwn({ userId: user.id, action, client, detail: { amr, via } }, transaction);
}
