import type { WhereOptions } from "sequelize";

import type { ShardLink as ShardLinkRow } from "../../models/shard/shard-link.ts";
import type { Context } from "../context.ts";
import { accountKey } from "./links.ts";

/** One game account linked to a user, as our mirror of the shard's links has it. */
export interface ShardLink {
  readonly account: string;
  readonly linkedAt: Date;
}

/** A user's game accounts, the longest linked first. */
export const readLinksOf = (userId: number, context: Context): Promise<ShardLink[]> =>
  readLinks({ userId }, context);

/** Every linked game account there is. */
export const readAllLinks = (context: Context): Promise<ShardLink[]> => readLinks({}, context);

async function readLinks(
  where: WhereOptions<ShardLinkRow>,
  { models }: Context,
): Promise<ShardLink[]> {
  const links = await models.ShardLink.findAll({
    where,
    order: [
      ["linkedAt", "ASC"],
      ["accountKey", "ASC"],
    ],
  });
  return links.map(({ account, linkedAt }) => ({ account, linkedAt }));
}

/** The keys that a user's game accounts are compared by. */
export async function readAccountKeys(userId: number, context: Context): Promise<string[]> {
  const links = await readLinksOf(userId, context);
  return links.map(({ account }) => accountKey(account));
}

/** The link of one account to one user; null when there is none. */
export async function findLink(
  userId: number,
  account: string,
  { models }: Context,
): Promise<ShardLink | null> {
  return models.ShardLink.findOne({ where: { userId, accountKey: accountKey(account) } });
}
