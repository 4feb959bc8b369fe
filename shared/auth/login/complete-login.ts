import type { Client } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { type SignInRefusal, wrongCredentials } from "../rules/refusals.ts";
import { Admission, groundsOfProof } from "../sessions/admission.ts";
import { recordOwn } from "../users/own-activity.ts";
import type { LockedUser, UserRow } from "../users/users.ts";

/** How somebody signs in. */
export interface SignIn {
  /** Methods as RFC 8176 names them, such as `pwd` and `otp`. */
  readonly amr: readonly string[];
  readonly via: "web" | "mobile";
  readonly client: Client;
}

/**
 * Admits the locked user by a proof that still holds: the user may have been disabled or cut off
 * since it was checked.
 * @param generation of the row that the proof was checked with, or as a challenge carries it
 * @param user null for one who was deleted since
 * @param refusal the words of the route
 * @throws SignInRefusal
 */
export async function admitByProof(
  { generation }: Pick<UserRow, "generation">,
  user: LockedUser | null,
  context: Context,
  refusal: () => SignInRefusal = wrongCredentials,
): Promise<Admission> {
  if (!user) throw refusal();
  const admission = await Admission.grant(
    groundsOfProof({ id: user.id, generation }),
    user,
    context,
  );
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
