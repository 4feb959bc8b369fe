import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { findOvertaken, type Moment } from "../../platform/db/late-answers.ts";
import { accountKey, holdUsers, type LinkOnShard, writeLinks } from "../owners/link-mirror.ts";
import { orderUnlinking } from "./order-unlinking.ts";

/**
 * Writes a link that the shard answered, asked for at that moment, unless something was stored of the
 * account since. Where its user was deleted meanwhile the shard is told to undo it.
 * @returns false where the answer came too late
 */
export async function keepLink(
  link: LinkOnShard,
  askedAt: Moment,
  transaction: Transaction,
  context: Pick<Context, "queue">,
): Promise<boolean> {
  const keys = [accountKey(link.account)];
  const overtaken = await findOvertaken("game account", { keys, askedAt }, transaction);
  const users = await holdUsers([link], transaction);
  if (!users.has(link.userId)) {
    await orderUnlinking([link], transaction, context);
    return true;
  }
  if (overtaken.size > 0) return false;
  await writeLinks([link], transaction);
  return true;
}
