import type { Context } from "../context.ts";
import { inTransaction } from "../db/transaction.ts";
import { type Challenge, openChallenge } from "./challenges.ts";
import type { Client } from "./client.ts";
import { type ChallengeAnswer, completeChallenge } from "./complete-challenge.ts";
import { admit, completeLogin } from "./complete-login.ts";
import { type PasswordAttempt, provePassword } from "./prove-password.ts";
import { mintSession, type SessionToken } from "./sessions.ts";
import { type TrustToken, useTrustedDevice } from "./trusted-devices.ts";
import type { UserRow } from "./users.ts";

/** A web sign-in that is through. */
export interface SignedIn {
  readonly user: UserRow;
  readonly session: SessionToken;
}

/** Password to session, or to the question for the second factor. */
export async function login(
  attempt: PasswordAttempt,
  client: Client,
  context: Context,
): Promise<SignedIn | Challenge> {
  const proven = await provePassword(attempt, client, context);
  return inTransaction(context.sequelize, async (transaction) => {
    const user = await admit(proven, transaction);
    const isTrusted = user.totpEnabled && (await useTrustedDevice(user.id, client, transaction));
    if (user.totpEnabled && !isTrusted) return openChallenge("totp", user, transaction, context);
    const amr = isTrusted ? ["pwd", "trusted_device"] : ["pwd"];
    await completeLogin({ user, amr, via: "web", client }, transaction);
    return { user, session: await mintSession({ user, amr }, context.config) };
  });
}

/** The second factor for a challenge of `login`. */
export async function loginWithCode(
  challenge: string | undefined,
  answer: ChallengeAnswer,
  client: Client,
  context: Context,
): Promise<SignedIn & { readonly trust: TrustToken | null }> {
  const mint = (user: UserRow, amr: readonly string[]) =>
    mintSession({ user, amr }, context.config);
  const use = { kind: "totp", challenge, answer, client, mint } as const;
  const { user, minted: session, trust } = await completeChallenge(use, context);
  return { user, session, trust };
}
