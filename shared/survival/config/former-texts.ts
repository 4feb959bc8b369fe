import type { Transaction } from "sequelize";

import type { SecretsKeys } from "../../platform/crypto/sealed.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { openBefore } from "./config-seals.ts";

/** What stood in a plugin's file before each of its writes, as far as it is kept. */
export async function readFormer(
  serverId: number,
  plugin: string,
  { keys, transaction }: { readonly keys: SecretsKeys; readonly transaction: Transaction },
): Promise<string[]> {
  const found = await modelsOf(transaction).SurvivalConfigWrite.findAll({
    where: { serverId, plugin },
    attributes: ["writeId", "beforeSealed"],
    raw: true,
    transaction,
  });
  return found
    .map(({ writeId, beforeSealed }) => openBefore(writeId, beforeSealed, keys))
    .filter((text) => text !== undefined);
}
