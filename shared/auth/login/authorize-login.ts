import type { SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { type SignInRefusal, wrongCredentialsError } from "../rules/sign-in-errors.ts";
import { AuthorizedUser, basisOfProof } from "../sessions/authorized-user.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import type { LockedUser, UserRow } from "../users/users.ts";

export interface SignInRecord {
  /** Authentication methods of RFC 8176, such as `pwd` and `otp`. */
  readonly amr: readonly string[];
  readonly via: "web" | "mobile";
  readonly client: SignInClient;
}

/**
 * Authorizes a locked user (null if deleted) if the proof of identity is still valid: the user may have
 * been disabled or signed out since the check. The first parameter is the user as read for the check.
 * @throws SignInRefusal made by `refusal`
 */
export async function authorizeProvenUser(
  { generation }: Pick<UserRow, "generation">,
  user: LockedUser | null,
  context: Context,
  refusal: () => SignInRefusal = wrongCredentialsError,
): Promise<AuthorizedUser> {
  if (!user) throw refusal();
  const authorized = await AuthorizedUser.authorize(
    basisOfProof({ id: user.id, generation }),
    user,
    context,
  );
  if (!authorized) throw refusal();
  return authorized;
}

/** Records the sign-in. The caller must create the session in the same transaction. */
export async function recordLogin(
  { user, transaction }: AuthorizedUser,
  { amr, via, client }: SignInRecord,
): Promise<void> {
  const action = "auth.login.success";
  await recordOwnActivity({ userId: user.id, action, client, detail: { amr, via } }, transaction);
}
