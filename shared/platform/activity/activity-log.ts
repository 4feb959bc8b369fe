import { col, fn, Op, where, type Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { ActivityEntry } from "../../../models/site/activity-entry.ts";
import { countChanged } from "../db/rows.ts";

export interface ActivitySearch {
  readonly actor?: number | undefined;
  /** The whole of an action or its beginning: `auth.login` finds `auth.login.failure`. */
  readonly action?: string | undefined;
  /** Lines older than this one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface ActivityPage {
  readonly lines: readonly ActivityEntry[];
  /** What the next page is asked for with; null at the end. */
  readonly nextBefore: number | null;
}

/** Lines of the log with their actors, the latest first. */
export async function readActivity(
  { actor, action, before, limit }: ActivitySearch,
  { models }: { readonly models: Models },
): Promise<ActivityPage> {
  const begins = fn("starts_with", col("ActivityEntry.action"), action);
  const found = await models.ActivityEntry.findAll({
    attributes: { exclude: ["address"] },
    include: [
      { association: "actor", attributes: ["username"] },
      { association: "token", attributes: ["name"] },
    ],
    where: {
      ...(actor !== undefined && { actorId: actor }),
      ...(before !== undefined && { id: { [Op.lt]: before } }),
      ...(action !== undefined && { [Op.and]: where(begins, true) }),
    },
    order: [["id", "DESC"]],
    limit: limit + 1,
  });
  const lines = found.slice(0, limit);
  const isLast = lines.length === found.length;
  return { lines, nextBefore: isLast ? null : (lines.at(-1)?.id ?? null) };
}

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
