import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import type { TokenClaims } from "../crypto/jwt.ts";
import { inTransaction } from "../db/transaction.ts";
import { AppError, invalidFields } from "../errors.ts";
import {
  type ChallengeKind,
  consumeChallenge,
  readChallenge,
  returnAttempt,
  takeAttempt,
} from "./challenges.ts";
import type { Client } from "./client.ts";
import { admit, completeLogin } from "./complete-login.ts";
import { recordOwn } from "./own-activity.ts";
import { SignInRefusal, wrongCode } from "./refusals.ts";
import { consumeSecondFactor, factorOf, type GivenFactor } from "./second-factor.ts";
import { trustDevice, type TrustToken } from "./trusted-devices.ts";
import type { UserRow } from "./users.ts";

export interface ChallengeAnswer extends GivenFactor {
  readonly trustDevice?: boolean | undefined;
}

/** An answered challenge: what it says and what the client wants for it. */
export interface ChallengeUse<T> {
  readonly kind: ChallengeKind;
  /** Undefined when the client sent none. */
  readonly challenge: string | undefined;
  readonly answer: ChallengeAnswer;
  readonly client: Client;
  /** Mints what the sign-in is for, in the transaction that completes it. */
  readonly mint: (user: UserRow, amr: readonly string[], transaction: Transaction) => Promise<T>;
}

export interface CompletedChallenge<T> {
  readonly user: UserRow;
  readonly minted: T;
  readonly trust: TrustToken | null;
}

/**
 * The second step of a sign-in. A dead challenge and a wrong code get the same answer; what is no
 * guess (the trust limit, a fault of ours) leaves challenge, code and try as they were.
 * @throws SignInRefusal
 */
export async function completeChallenge<T>(
  use: ChallengeUse<T>,
  context: Context,
): Promise<CompletedChallenge<T>> {
  const claims = await readChallenge(use.kind, use.challenge ?? "", context);
  if (!claims) throw wrongCode();
  const factor = factorOf(use.answer);
  if ("recoveryCode" in factor && use.answer.trustDevice) throw recoveryTrustsNothing();
  if (!(await takeAttempt(claims.tokenId, context))) throw wrongCode();
  const { userId } = claims;
  const { client } = use;
  const act = (user: UserRow, transaction: Transaction) =>
    finish({ ...use, claims }, user, transaction, context);
  try {
    const factorUse = { userId, factor, purpose: "auth", client, act } as const;
    const done = await consumeSecondFactor(factorUse, context);
    if (!done) throw wrongCode();
    return done.result;
  } catch (error) {
    await settleAttempt(error, claims, client, context);
    throw error;
  }
}

const recoveryTrustsNothing = () =>
  invalidFields([{ path: "trustDevice", message: "trustDevice excludes recoveryCode" }]);

async function finish<T>(
  use: ChallengeUse<T> & { readonly claims: TokenClaims },
  current: UserRow,
  transaction: Transaction,
  context: Context,
): Promise<CompletedChallenge<T>> {
  const { claims, answer, client, kind, mint } = use;
  const user = await admit({ ...current, issuedAt: claims.issuedAt }, transaction, wrongCode);
  if (!(await consumeChallenge(claims.tokenId, transaction))) throw wrongCode();
  const trust = answer.trustDevice
    ? await trustDevice(user.id, client, transaction, context)
    : null;
  const amr = [kind === "totp" ? "pwd" : "sso", answer.code === undefined ? "recovery" : "otp"];
  await completeLogin({ user, amr, via: "web", client }, transaction);
  return { user, minted: await mint(user, amr, transaction), trust };
}

/** Gives the try back unless it was a guess; a trust request over the cap is put on record. */
async function settleAttempt(
  error: unknown,
  { tokenId, userId }: TokenClaims,
  client: Client,
  { sequelize }: Context,
): Promise<void> {
  if (error instanceof SignInRefusal) return;
  await returnAttempt(tokenId, sequelize);
  if (!(error instanceof AppError) || !error.extra?.["trustLimitReached"]) return;
  const action = "auth.trusted_device.limit";
  await inTransaction(sequelize, (transaction) =>
    recordOwn({ userId, action, client }, transaction),
  );
}
