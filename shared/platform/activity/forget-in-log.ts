import type { Transaction } from "sequelize";

import { countChanged } from "../db/rows.ts";

/** What a line of the log is about. */
export interface Target {
  readonly type: string;
  readonly id: number;
}

/**
 * Leaves of a user who is deleted the id alone: where they were is forgotten, what lines about the
 * account tell, and what their own lines tell of their own things, which name accounts in the games.
 * What they did to others and to the site stays told.
 * @param own things that go with the user
 */
export async function forgetInLog(
  userId: number,
  own: readonly Target[],
  transaction: Transaction,
): Promise<void> {
  const [types, ids] = [own.map(({ type }) => type), own.map(({ id }) => String(id))];
  await countChanged(transaction, forgetSql, [userId, String(userId), types, ids]);
}

const isAboutUser = "target_type = 'user' and target_id = $2";
const isAboutOwn = `actor_id = $1
  and (target_type, target_id) in (select * from unnest($3::text[], $4::text[]))`;

/** The address in a line of somebody else, who did something to the account, is theirs. */
const forgetSql = `
  update activity_log set
    address = case when actor_id <> $1 then address end,
    detail = case when (${isAboutUser}) or (${isAboutOwn}) then '{}' else detail end
  where (actor_id = $1 and address is not null)
    or (${isAboutUser} and (detail <> '{}' or address is not null))
    or (${isAboutOwn} and detail <> '{}')`;
