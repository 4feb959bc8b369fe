import type { Sequelize, Transaction } from "sequelize";

import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { holdServer } from "../server-rows.ts";
import type { PushUnderWay } from "./settle-push.ts";

/**
 * Keeps a push the one that is under way until the transaction ends. An answer that comes after another
 * took its place tells of what is over.
 * @returns false when it is not under way any more
 */
export async function holdUnderWay(
  { serverId, ref }: Pick<PushUnderWay, "serverId" | "ref">,
  transaction: Transaction,
): Promise<boolean> {
  const held = await modelsOf(transaction).SurvivalPush.findOne({
    where: { serverId, ref, state: "pushing" },
    attributes: ["serverId"],
    lock: transaction.LOCK.NO_KEY_UPDATE,
    transaction,
  });
  return held !== null;
}

/** Takes back what was written for a push in whose place another is. */
class PushOvertaken extends Error {
  override readonly name = "PushOvertaken";
}

/** @throws {PushOvertaken} */
function requireUnderWay(isUnderWay: boolean): void {
  if (!isUnderWay) throw new PushOvertaken();
}

/**
 * Writes what came of a push. What it is about comes first, and then the push, as in every change that
 * asks for one: in another order the two would wait for each other. Of a server that was deleted none
 * is under way.
 * @param work says as soon as it has locked the push whether that is under way
 * @returns false, nothing being written, where it is not
 */
export async function whileUnderWay(
  serverId: number,
  sequelize: Sequelize,
  work: (transaction: Transaction, say: typeof requireUnderWay) => Promise<void>,
): Promise<boolean> {
  try {
    await inTransaction(sequelize, async (transaction) => {
      requireUnderWay((await holdServer(serverId, transaction)) !== null);
      await work(transaction, requireUnderWay);
    });
    return true;
  } catch (error) {
    if (error instanceof PushOvertaken) return false;
    throw error;
  }
}
