import type { WhereOptions } from "sequelize";

import type { Models as AllModels } from "../../../models/index.ts";
import type { ShardLink } from "../../../models/shard/shard-link.ts";
import { accountKey } from "./link-mirror.ts";

/** One game account linked to a user, as our mirror of the shard's links has it. */
export type LinkedAccount = Readonly<Pick<ShardLink, "account" | "linkedAt">>;

interface Models {
  readonly models: AllModels;
}

/** A user's game accounts, the longest linked first. */
export const readLinksOf = (userId: number, context: Models): Promise<LinkedAccount[]> =>
  readLinks({ userId }, context);

/** Every linked game account there is. */
export const readAllLinks = (context: Models): Promise<LinkedAccount[]> => readLinks({}, context);

const readLinks = (where: WhereOptions<ShardLink>, { models }: Models): Promise<LinkedAccount[]> =>
  models.ShardLink.findAll({
    where,
    attributes: ["account", "linkedAt"],
    order: [
      ["linkedAt", "ASC"],
      ["accountKey", "ASC"],
    ],
    raw: true,
  });

/** The keys that a user's game accounts are compared by. */
export async function readAccountKeys(userId: number, { models }: Models): Promise<string[]> {
  const attributes = ["accountKey"];
  const links = await models.ShardLink.findAll({ where: { userId }, attributes, raw: true });
  return links.map((link) => link.accountKey);
}

/** The link of one account to one user; null when there is none. */
export const findLink = (
  userId: number,
  account: string,
  { models }: Models,
): Promise<LinkedAccount | null> =>
  models.ShardLink.findOne({
    where: { userId, accountKey: accountKey(account) },
    attributes: ["account", "linkedAt"],
    raw: true,
  });
