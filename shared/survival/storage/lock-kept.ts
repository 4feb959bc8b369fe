import type { Transaction } from "sequelize";

import type { BoundName } from "../../platform/config/survival-bounds.ts";
import { countChanged } from "../../platform/db/rows.ts";

/** Has transactions that add to a part of a server, which no trigger counts, follow each other. */
export async function lockKept(
  serverId: number,
  name: BoundName,
  transaction: Transaction,
): Promise<void> {
  await countChanged(transaction, lock, [serverId, name]);
}

const lock = `
  insert into survival_storage as known (server_id, part) values ($1, $2)
  on conflict (server_id, part) do update set kept = known.kept`;

/** Forgets what was counted of a server that is deleted. */
export async function forgetStorage(serverId: number, transaction: Transaction): Promise<void> {
  await countChanged(transaction, forget, [serverId]);
  await countChanged(transaction, forgetDays, [serverId]);
}

const forget = "delete from survival_storage where server_id = $1";
const forgetDays = "delete from survival_storage_days where server_id = $1";
