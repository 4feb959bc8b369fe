import type { SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { type Challenge, openChallenge } from "../second-factor/challenges.ts";
import { type TrustToken, checkTrustedDevice } from "../second-factor/trusted-devices.ts";
import type { AuthorizedUser } from "../sessions/authorized-user.ts";
import { mintSession, type SessionToken } from "../sessions/sessions.ts";
import { lockUser, type UserRow } from "../users/users.ts";
import { authorizeProvenUser, recordLogin } from "./authorize-login.ts";
import { type ChallengeAnswer, completeChallenge } from "./complete-challenge.ts";

/** A completed web sign-in. */
export interface WebSignIn {
  readonly user: UserRow;
  readonly session: SessionToken;
}

/** Opens a session for a correct password, or a challenge if a second factor is needed. */
export async function login(
  proven: UserRow,
  client: SignInClient,
  context: Context,
): Promise<WebSignIn | Challenge> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const authorized = await authorizeProvenUser(
      proven,
      await lockUser(proven.id, transaction),
      context,
    );
    const { user } = authorized;
    const isTrusted = user.totpEnabled && (await checkTrustedDevice(authorized, client, context));
    if (user.totpEnabled && !isTrusted) return openChallenge("totp", authorized, context);
    const amr = isTrusted ? ["pwd", "trusted_device"] : ["pwd"];
    await recordLogin(authorized, { amr, via: "web", client });
    return { user, session: await mintSession(authorized, { amr }, context.config) };
  });
}

/** Completes a challenge of `login` with the second factor. */
export async function loginWithCode(
  challenge: string | undefined,
  answer: ChallengeAnswer,
  client: SignInClient,
  context: Context,
): Promise<WebSignIn & { readonly trust: TrustToken | null }> {
  const mint = async (authorized: AuthorizedUser, amr: readonly string[]) => {
    await recordLogin(authorized, { amr, via: "web", client });
    return mintSession(authorized, { amr }, context.config);
  };
  const use = { kind: "totp", challenge, answer, client, mint } as const;
  const { user, minted: session, trust } = await completeChallenge(use, context);
  return { user, session, trust };
}
