import { Op } from "sequelize";

import type { Context } from "../../../platform/context.ts";
import { readOwnSteamIds } from "../../own-data/own-steam-ids.ts";

/** What a user, or a Steam account of theirs, was given on survival servers, the oldest first. */
export async function readOwnGrants(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const steamId = await readOwnSteamIds(userId, { models });
  return models.SurvivalGrant.findAll({
    // One that was given before anybody had linked the Steam account names no user.
    where: { [Op.or]: [{ userId }, { userId: null, steamId }] },
    attributes: ["kind", "steamId", "value", "source", "createdAt", "expiresAt", "revokedAt"],
    order: ["id"],
    raw: true,
  });
}
