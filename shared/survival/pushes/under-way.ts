import type { Transaction } from "sequelize";

import { firstRow } from "../../db/rows.ts";
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
  const held = await firstRow(transaction, hold, [serverId, ref]);
  return held !== undefined;
}

const hold = `
  select 1 as held from survival_pushes
  where server_id = $1 and ref = $2 and state = 'pushing' for no key update`;
