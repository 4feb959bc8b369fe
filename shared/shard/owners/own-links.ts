import type { WhereOptions } from "sequelize";

import type { Models as AllModels } from "../../../models/index.ts";
import type { GameAccountLink } from "../../../models/shard/game-account-link.ts";
import { accountKey } from "./link-mirror.ts";

/** A game account that is linked to a user, from the site's copy of the shard's links. */
export type LinkedAccount = Readonly<Pick<GameAccountLink, "account" | "linkedAt">>;

interface Models {
  readonly models: AllModels;
}

/** Reads a user's game accounts, the longest linked first. */
export const readLinksOf = (userId: number, context: Models): Promise<LinkedAccount[]> =>
  readLinks({ userId }, context);

export const readAllLinks = (context: Models): Promise<LinkedAccount[]> => readLinks({}, context);

const readLinks = (
  where: WhereOptions<GameAccountLink>,
  { models }: Models,
): Promise<LinkedAccount[]> =>
  models.ShardLink.findAll({
    where,
    attributes: ["account", "linkedAt"],
    order: [
      ["linkedAt", "ASC"],
      ["accountKey", "ASC"],
    ],
    raw: true,
  });

export async function readAccountKeys(userId: number, { models }: Models): Promise<string[]> {
  const attributes = ["accountKey"];
  const links = await models.ShardLink.findAll({ where: { userId }, attributes, raw: true });
  return links.map((link) => link.accountKey);
}

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
