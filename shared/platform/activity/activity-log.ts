import { col, fn, Op, where, type Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { ActivityEntry } from "../../../models/site/activity-entry.ts";
import { executeStatement } from "../db/rows.ts";

export interface ActivitySearch {
  readonly actor?: number | undefined;
  /** An action or the first part of its name: `auth.login` also finds `auth.login.failure`. */
  readonly action?: string | undefined;
  /** The id of a line. The page begins with the next older line. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface ActivityPage {
  readonly lines: readonly ActivityEntry[];
  /** The value of `before` for the next page. Null on the last page. */
  readonly nextBefore: number | null;
}

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

export interface ActivityTarget {
  readonly type: string;
  readonly id: number;
}

/**
 * Removes a deleted user's IP addresses from the log, and the details of lines about the account. Also removes
 * details of the user's own lines about objects of the types `own`, because the details name game accounts.
 * Details of other lines stay.
 * @param own types and ids of objects that are deleted with the user
 */
export async function anonymizeLog(
  userId: number,
  own: readonly ActivityTarget[],
  transaction: Transaction,
): Promise<void> {
  const [types, ids] = [own.map(({ type }) => type), own.map(({ id }) => String(id))];
  await executeStatement(transaction, forgetSql, [userId, String(userId), types, ids]);
}

const isAboutUser = "target_type = 'user' and target_id = $2";
const isAboutOwn = `actor_id = $1
  and (target_type, target_id) in (select * from unnest($3::text[], $4::text[]))`;

/** A line that another user wrote about the account keeps that other user's address. */
const forgetSql = `
  update activity_log set
    address = case when actor_id <> $1 then address end,
    detail = case when (${isAboutUser}) or (${isAboutOwn}) then '{}' else detail end
  where (actor_id = $1 and address is not null)
    or (${isAboutUser} and (detail <> '{}' or address is not null))
    or (${isAboutOwn} and detail <> '{}')`;
