import type { Transaction } from "sequelize";

import { withoutCaller } from "../../acting.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/transaction.ts";
import { AppError, invalidFields } from "../../errors.ts";
import type { Caller } from "../caller/caller.ts";
import type { Client } from "../caller/client.ts";
import { wrongOwnCode, wrongOwnPassword } from "../rules/refusals.ts";
import { admitCaller, lockCaller, readCaller } from "../sessions/own-account.ts";
import { comparePassword } from "../users/compare-password.ts";
import { recordOwn } from "../users/own-activity.ts";
import { findUser, type LockedUser, type UserRow } from "../users/users.ts";
import { consumeSecondFactor, factorOf } from "./second-factor.ts";

/** What a signed-in caller sends to prove that it is still the user. */
export interface Reauthentication {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

export interface GuardedAct<T> {
  readonly caller: Caller;
  readonly client: Client;
  readonly given: Reauthentication;
  /** What is slow and needs no lock, done before the transaction: only `act` may refuse. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Locks that come before that of the caller's row. */
  readonly lockFirst?: ((transaction: Transaction) => Promise<void>) | undefined;
  /** What the proof is for, done in one transaction with the caller's row locked. */
  readonly act: (user: UserRow, transaction: Transaction) => Promise<T>;
}

/**
 * Lets a caller change what guards the account: with its password, a code of its second factor, or
 * a sign-in of just now.
 * @throws AppError forbidden, never unauthenticated: the session stands
 */
export async function reauthenticate<T>(guarded: GuardedAct<T>, context: Context): Promise<T> {
  const { caller, given, prepare, lockFirst, act } = guarded;
  const { password, code } = given;
  if (password !== undefined && code !== undefined) {
    throw invalidFields([{ path: "code", message: "code excludes password" }]);
  }
  if (code !== undefined) return actWithCode(guarded, code, context);
  if (password !== undefined) await checkOwnPassword(guarded, password, context);
  else await requireRecentSignIn(caller, context);
  await prepare?.();
  const actOnce = async (transaction: Transaction): Promise<T> => {
    const { user } = await lockCaller(caller, transaction, context);
    return act(user, transaction);
  };
  return inTransaction(context.sequelize, actOnce, lockFirst);
}

async function requireRecentSignIn(caller: Caller, context: Context): Promise<void> {
  const { readAt } = await readCaller(caller, context);
  const ageMs = (readAt - caller.signedInAt) * 1000;
  if (ageMs > context.config.REAUTH_AFTER) throw proofRequired();
}

const proofRequired = () =>
  new AppError("reauthentication_required", "Send your password or a code to confirm");

async function actWithCode<T>(
  { caller, client, prepare, lockFirst, act }: GuardedAct<T>,
  code: string,
  context: Context,
): Promise<T> {
  const use = {
    userId: caller.userId,
    factor: factorOf({ code }),
    purpose: "stepup" as const,
    client,
    prepare,
    lockFirst,
    act: async (locked: LockedUser) => {
      const { user, transaction } = await admitCaller(caller, locked, context);
      return act(user, transaction);
    },
  };
  const done = await consumeSecondFactor(use, context);
  if (!done) throw wrongOwnCode();
  return done.result;
}

/** @throws SignInRefusal forbidden */
export async function checkOwnPassword(
  { caller: { userId }, client }: Pick<GuardedAct<unknown>, "caller" | "client">,
  password: string,
  context: Context,
): Promise<void> {
  const user = await findUser(userId, context);
  if (await comparePassword(password, user, client, context)) return;
  const action = "auth.reauthentication.failure";
  await withoutCaller(() =>
    inTransaction(context.sequelize, (transaction) =>
      recordOwn({ userId, action, client }, transaction),
    ),
  );
  throw wrongOwnPassword();
}
