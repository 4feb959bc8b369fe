import type { Transaction } from "sequelize";

import { runAsCaller, runWithoutRightsCheck } from "../../platform/access/caller-rights.ts";
import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { wrongOwnCodeError, wrongOwnPasswordError } from "../rules/sign-in-errors.ts";
import { readCaller } from "../sessions/lock-caller.ts";
import { runWithinFailureCaps } from "../throttle/failure-caps.ts";
import { comparePassword } from "../users/compare-password.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import { findUser } from "../users/users.ts";
import { countWrongFactor, verifyUnusedCode, consumeTotpCode } from "./second-factor.ts";

/** A caller's confirmation: a password, a code, or an empty object after a recent sign-in. */
export type Confirmation =
  | { readonly password: string }
  | { readonly code: string }
  | Readonly<Record<string, never>>;

interface ConfirmationRequest {
  readonly caller: Caller;
  readonly client: SignInClient;
  readonly given: Confirmation;
}

/**
 * Runs `act` for a caller who confirms with the password, with a code of the second factor, or by a
 * sign-in no older than REAUTH_AFTER. The first transaction in `act` marks the code as used; if it rolls
 * back, the code stays unused.
 * @throws AppError forbidden, never unauthenticated: the session stays valid; limited after too many
 * wrong passwords and codes of the user
 */
export async function runWithConfirmation<T>(
  confirming: ConfirmationRequest,
  act: () => Promise<T>,
  context: Context,
): Promise<T> {
  const { caller, given } = confirming;
  if ("code" in given) {
    return withConfirmationCap(confirming, context, () =>
      runWithCode(confirming, given.code, act, context),
    );
  }
  if ("password" in given) {
    await withConfirmationCap(confirming, context, () =>
      checkOwnPassword(confirming, given.password, context),
    );
  } else {
    await requireRecentSignIn(caller, context);
  }
  return runAsCaller(caller.holdRights, act);
}

/** Limits failures per user, so that a stolen session cannot be used to guess the password. */
function withConfirmationCap<T>(
  { caller, client }: ConfirmationRequest,
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  const cap = {
    name: "confirmation",
    subject: { id: String(caller.userId), times: 1 },
  } as const;
  return runWithinFailureCaps({ caps: [cap], address: client.address }, context, work);
}

async function requireRecentSignIn(caller: Caller, context: Context): Promise<void> {
  const { readAt } = await readCaller(caller, context);
  const ageMs = (readAt - caller.signedInAt) * 1000;
  if (ageMs > context.config.REAUTH_AFTER) throw confirmationRequired();
}

const confirmationRequired = () =>
  new AppError("reauthentication_required", "Send your password or a code to confirm");

async function runWithCode<T>(
  { caller, client }: ConfirmationRequest,
  code: string,
  act: () => Promise<T>,
  context: Context,
): Promise<T> {
  const use = { userId: caller.userId, factor: { code }, purpose: "stepup", client } as const;
  if (!(await verifyUnusedCode(use, context))) throw wrongOwnCodeError();
  const codeUsedError = wrongOwnCodeError();
  let isSpent = false;
  const spend = async (transaction: Transaction): Promise<void> => {
    await caller.holdRights(transaction);
    if (isSpent) return;
    if (!(await consumeTotpCode(use, transaction, context))) throw codeUsedError;
    transaction.afterCommit(() => {
      isSpent = true;
    });
  };
  try {
    const result = await runAsCaller(spend, act);
    if (!isSpent) await inCallersTransaction(context.sequelize, spend);
    return result;
  } catch (error) {
    if (error === codeUsedError) await countWrongFactor(use, context);
    throw error;
  }
}

/** @throws SignInRefusal, as forbidden, if the password is wrong */
export async function checkOwnPassword(
  { caller: { userId }, client }: Pick<ConfirmationRequest, "caller" | "client">,
  password: string,
  context: Context,
): Promise<void> {
  const user = await findUser(userId, context);
  if ((await comparePassword(password, user, client, context)) !== null) return;
  const action = "auth.reauthentication.failure";
  await runWithoutRightsCheck(() =>
    inCallersTransaction(context.sequelize, (transaction) =>
      recordOwnActivity({ userId, action, client }, transaction),
    ),
  );
  throw wrongOwnPasswordError();
}
