import type { Transaction } from "sequelize";

import { modelsOf } from "../../db/transaction.ts";
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
