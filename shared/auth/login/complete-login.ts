import type { Client } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { type SignInRefusal, wrongCredentials } from "../rules/refusals.ts";
import { Admission, groundsOfProof } from "../sessions/admission.ts";
import { recordOwn } from "../users/own-activity.ts";
import type { LockedUser, UserRow } from "../users/users.ts";

export interface SignIn {
  /** Authentication methods of RFC 8176, such as `pwd` and `otp`. */
  readonly amr: readonly string[];
  readonly via: "web" | "mobile";
  readonly client: Client;
}

/**
 * Admits the locked user (null if deleted) if the proof is still valid: the user may have been disabled
 * or signed out since the check.
 * @param generation the one that the proof was checked with
 * @throws SignInRefusal made by `refusal`
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

/** Records the sign-in. The caller mints the session in the same transaction. */
export async function completeLogin(
  { user, transaction }: Admission,
  { amr, via, client }: SignIn,
): Promise<void> {
  const action = "auth.login.success";
  await recordOwn({ userId: user.id, action, client, detail: { amr, via } }, transaction);
}
