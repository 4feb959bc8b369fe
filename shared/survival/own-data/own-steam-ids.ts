import type { Context } from "../../platform/context.ts";

/** The Steam accounts that a user has linked. */
export async function readOwnSteamIds(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<string[]> {
  const links = await models.SteamLink.findAll({
    where: { userId },
    attributes: ["steamId"],
    order: ["linkedAt", "steamId"],
    raw: true,
  });
  return links.map(({ steamId }) => steamId);
}
