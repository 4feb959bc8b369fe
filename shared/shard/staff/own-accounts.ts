import type { Transaction } from "sequelize";

import { holdAccounts } from "../../platform/db/late-answers.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import type { ShardContext } from "../context.ts";
import { accountKey } from "../owners/link-mirror.ts";
import { readAccountOf } from "../players/characters.ts";
import type { ShardOrder } from "./commands.ts";

/** The player who is meant: by account, by character or by both. */
export interface Target {
  readonly account?: string | undefined;
  readonly serial?: string | undefined;
}

/**
 * The game accounts of a player who is meant. The shard is asked now whose a character is: what was heard of
 * it before may lack a character that is new.
 * @throws {BridgeError} NOT_FOUND for a character that the shard does not know
 */
export async function accountsOf(
  { account, serial }: Target,
  order: Pick<ShardOrder, "requestId">,
  context: ShardContext,
): Promise<readonly string[]> {
  const named = account === undefined ? [] : [account];
  return serial === undefined ? named : [...named, await readAccountOf(serial, order, context)];
}

/**
 * The check that nobody bans or unbans an account of their own, administrators included. It is made in the
 * transaction that comes before the command: links are made and undone under a lock, which that holds.
 */
export function refuseOwnAccounts(
  accounts: readonly string[],
  { caller }: Pick<ShardOrder, "caller">,
): (transaction: Transaction) => Promise<void> {
  const keys = accounts.map(accountKey);
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
