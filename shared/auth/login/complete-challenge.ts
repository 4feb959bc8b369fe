import type { SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import type { TokenClaims } from "../../platform/crypto/jwt.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { AppError, invalidFieldsError } from "../../platform/errors/errors.ts";
import { SignInRefusal, wrongCodeError } from "../rules/sign-in-errors.ts";
import { type ChallengeKind, readChallenge } from "../second-factor/challenges.ts";
import {
  consumeSecondFactor,
  factorOf,
  type FactorFields,
} from "../second-factor/second-factor.ts";
import { trustDevice, type TrustToken } from "../second-factor/trusted-devices.ts";
import type { AuthorizedUser } from "../sessions/authorized-user.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import type { LockedUser, UserRow } from "../users/users.ts";
import { authorizeProvenUser } from "./authorize-login.ts";

export interface ChallengeAnswer extends FactorFields {
  readonly trustDevice?: boolean | undefined;
}

/** An answered challenge, with the function that creates the session or code. */
export interface ChallengeCompletion<T> {
  readonly kind: ChallengeKind;
  readonly challenge: string | undefined;
  readonly answer: ChallengeAnswer;
  readonly client: SignInClient;
  /** Completes the sign-in and creates the session in the transaction that uses the code. */
  readonly mint: (authorized: AuthorizedUser, amr: readonly string[]) => Promise<T>;
}

export interface CompletedChallenge<T> {
  readonly user: UserRow;
  readonly minted: T;
  readonly trust: TrustToken | null;
}

/**
 * Completes the second step of a sign-in. A dead challenge and a wrong code get the same answer. A failure other
 * than a wrong code (too many trusted devices, server fault) leaves the challenge and code usable and counts no
 * attempt.
 * @throws SignInRefusal
 */
export async function completeChallenge<T>(
  use: ChallengeCompletion<T>,
  context: Context,
): Promise<CompletedChallenge<T>> {
  const { models, config } = context;
  const claims = await readChallenge(use.kind, use.challenge ?? "", context);
  if (!claims) throw wrongCodeError();
  const factor = factorOf(use.answer);
  if ("recoveryCode" in factor && use.answer.trustDevice) throw recoveryTrustError();
  const { userId, tokenId } = claims;
  // Commit the attempt before the comparison: otherwise concurrent guesses share one attempt.
  const hasTry = await models.AuthChallenge.countAttempt(tokenId, config.CHALLENGE_TRIES);
  if (!hasTry) throw wrongCodeError();
  const { client } = use;
  const act = (user: LockedUser) => completeLocked({ ...use, claims }, user, context);
  try {
    const factorUse = { userId, factor, purpose: "auth", client, act } as const;
    const done = await consumeSecondFactor(factorUse, context);
    if (!done) throw wrongCodeError();
    return done.result;
  } catch (error) {
    await refundAttempt(error, claims, client, context);
    throw error;
  }
}

const recoveryTrustError = () =>
  invalidFieldsError([
    { path: "trustDevice", message: "trustDevice cannot be combined with recoveryCode" },
  ]);

async function completeLocked<T>(
  use: ChallengeCompletion<T> & { readonly claims: TokenClaims },
  user: LockedUser,
  context: Context,
): Promise<CompletedChallenge<T>> {
  const { claims, answer, client, kind, mint } = use;
  const authorized = await authorizeProvenUser(claims, user, context, wrongCodeError);
  const { AuthChallenge } = context.models;
  if (!(await AuthChallenge.useOnce(claims.tokenId, user.transaction))) throw wrongCodeError();
  const trust = answer.trustDevice ? await trustDevice(authorized, client, context) : null;
  const amr = [kind === "totp" ? "pwd" : "sso", answer.code === undefined ? "recovery" : "otp"];
  return { user: authorized.user, minted: await mint(authorized, amr), trust };
}

/**
 * Takes back the count of an attempt unless its code was wrong, and records if the limit of trusted devices was
 * reached.
 */
async function refundAttempt(
  error: unknown,
  { tokenId, userId }: TokenClaims,
  client: SignInClient,
  { sequelize, models }: Context,
): Promise<void> {
  if (error instanceof SignInRefusal) return;
  await models.AuthChallenge.returnAttempt(tokenId);
  if (!(error instanceof AppError) || !error.extra?.["trustLimitReached"]) return;
  const action = "auth.trusted_device.limit";
  await inCallersTransaction(sequelize, (transaction) =>
    recordOwnActivity({ userId, action, client }, transaction),
  );
}
