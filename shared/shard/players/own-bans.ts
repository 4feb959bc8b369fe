import { Op } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { readAccountKeys } from "../owners/own-links.ts";

/**
 * Bans of a user's present game accounts, those that are over too. Who gave them is told to nobody
 * but staff.
 */
export async function readOwnBans(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  return models.Punishment.findAll({
    where: {
      accountKey: await readAccountKeys(userId, { models }),
      // Until the shard said that it stands there is none.
      confirmedAt: { [Op.ne]: null },
    },
    attributes: ["id", "account", "reason", "issuedAt", "expiresAt", "endedAt"],
    order: ["id"],
    raw: true,
  });
}
