import type { Transaction } from "sequelize";

import { countChanged } from "../db/rows.ts";

/**
 * Leaves of a user who is deleted the id alone: where they were is forgotten, and what lines about
 * the account tell. What they did to others and to the site stays told.
 */
export async function forgetInLog(userId: number, transaction: Transaction): Promise<void> {
  await countChanged(transaction, forgetSql, [userId, String(userId)]);
}

/** The address in a line of somebody else, who did something to the account, is theirs. */
const forgetSql = `
  update activity_log set
    address = case when actor_id <> $1 then address end,
    detail = case when target_type = 'user' and target_id = $2 then '{}' else detail end
  where (actor_id = $1 and address is not null)
    or (target_type = 'user' and target_id = $2 and (detail <> '{}' or address is not null))`;
