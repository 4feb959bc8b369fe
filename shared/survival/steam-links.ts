import type { Context } from "../platform/context.ts";
import { shownName } from "./plain-texts.ts";

/** The Steam accounts that a user has linked, the oldest first. */
export async function readOwnSteamLinks(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  return models.SteamLink.findAll({
    where: { userId },
    attributes: ["steamId", "name", "linkedAt"],
    order: ["linkedAt", "steamId"],
    raw: true,
  });
}

/** The same with the server on which the code was made. */
export async function readLinkedAccounts(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const links = await models.SteamLink.findAll({
    where: { userId },
    include: [{ association: "server", attributes: ["id", "name"] }],
    order: ["linkedAt", "steamId"],
  });
  return links.map(({ steamId, name, linkedAt, server }) => ({
    steamId,
    name: shownName(name, steamId),
    linkedAt,
    server: server ? { id: server.id, name: server.name } : null,
  }));
}

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
