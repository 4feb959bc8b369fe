import type { Context } from "../../platform/context.ts";
import { readOwnSteamIds } from "./own-steam-ids.ts";

type Stores = Pick<Context, "models">;

/** The worlds in which figures are kept of a user's Steam accounts. */
export async function readOwnTallies(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalTally.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "name", "isStaff", "updatedAt"],
    order: ["wipeId", "steamId"],
    raw: true,
  });
}

/** The figures themselves. */
export async function readOwnScores(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalScore.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "stat", "value", "reachedAt"],
    order: ["wipeId", "steamId", "stat"],
    raw: true,
  });
}

/** NPCs of a profile that they have killed. */
export async function readOwnNpcKills(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalNpcKill.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "profileKey", "kills", "lastAt"],
    order: ["wipeId", "steamId", "profileKey"],
    raw: true,
  });
}
