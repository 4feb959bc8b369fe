import type { Client } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type Challenge, openChallenge } from "../second-factor/challenges.ts";
import { type TrustToken, useTrustedDevice } from "../second-factor/trusted-devices.ts";
import type { Admission } from "../sessions/admission.ts";
import { mintSession, type SessionToken } from "../sessions/sessions.ts";
import { lockUser, type UserRow } from "../users/users.ts";
import { type ChallengeAnswer, completeChallenge } from "./complete-challenge.ts";
import { admitByProof, completeLogin } from "./complete-login.ts";

/** A completed web sign-in. */
export interface SignedIn {
  readonly user: UserRow;
  readonly session: SessionToken;
}

/** Opens a session for a proven password, or a challenge if a second factor is needed. */
export async function login(
  proven: UserRow,
  client: Client,
  context: Context,
): Promise<SignedIn | Challenge> {
  return inTransaction(context.sequelize, async (transaction) => {
    const admission = await admitByProof(proven, await lockUser(proven.id, transaction), context);
    const { user } = admission;
    const isTrusted = user.totpEnabled && (await useTrustedDevice(admission, client, context));
    if (user.totpEnabled && !isTrusted) return openChallenge("totp", admission, context);
    const amr = isTrusted ? ["pwd", "trusted_device"] : ["pwd"];
    await completeLogin(admission, { amr, via: "web", client });
    return { user, session: await mintSession(admission, { amr }, context.config) };
  });
}

/** Completes a challenge of `login` with the second factor. */
export async function loginWithCode(
  challenge: string | undefined,
  answer: ChallengeAnswer,
  client: Client,
  context: Context,
): Promise<SignedIn & { readonly trust: TrustToken | null }> {
  const mint = async (admission: Admission, amr: readonly string[]) => {
    await completeLogin(admission, { amr, via: "web", client });
    return mintSession(admission, { amr }, context.config);
  };
  const use = { kind: "totp", challenge, answer, client, mint } as const;
  const { user, minted: session, trust } = await completeChallenge(use, context);
  return { user, session, trust };
}
