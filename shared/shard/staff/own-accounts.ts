import type { Transaction } from "sequelize";

import type { Context } from "../../context.ts";
import { modelsOf } from "../../db/transaction.ts";
import { AppError } from "../../errors.ts";
import { holdAccounts } from "../../late-answers.ts";
import { accountKey } from "../owners/link-mirror.ts";
import { isOwnCharacter } from "../players/characters.ts";
import type { ShardOrder } from "./commands.ts";

/** The player who is meant: by account, by character or by both. */
export interface Target {
  readonly account?: string | undefined;
  readonly serial?: string | undefined;
}

/**
 * Checks that nobody bans or unbans an account of their own, administrators included.
 * @returns the same check for the transaction that comes before the command: links are made and
 *   undone under a lock, which that transaction holds
 * @throws AppError own_account
 */
export async function refuseOwnAccount(
  { account, serial }: Target,
  { caller, requestId }: ShardOrder,
  context: Context,
): Promise<(transaction: Transaction) => Promise<void>> {
  const reader = { caller, readsAny: false, requestId };
  if (serial !== undefined && (await isOwnCharacter(serial, reader, context))) throw ownAccount();
  const owner = serial === undefined ? undefined : context.characterOwners.ownerOf(serial);
  const keys = [...(account === undefined ? [] : [accountKey(account)]), ...(owner ? [owner] : [])];
  return async (transaction) => {
    await holdAccounts("game account", transaction);
    if (await isLinkedTo(caller.userId, keys, transaction)) throw ownAccount();
  };
}

/** Whether a user has linked one of the accounts. Hold the accounts first. */
export async function isLinkedTo(
  userId: number,
  keys: readonly string[],
  transaction: Transaction,
): Promise<boolean> {
  const where = { userId, accountKey: [...keys] };
  return (await modelsOf(transaction).ShardLink.count({ where, transaction })) > 0;
}

const ownAccount = () =>
  new AppError("own_account", "Somebody else decides on a ban of your own account");
