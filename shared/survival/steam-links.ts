import type { Context } from "../platform/context.ts";
import { displayName } from "./plain-texts.ts";

/** Reads the Steam accounts of a user, oldest link first. */
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

/** Reads a user's Steam accounts with the servers on which they were linked. */
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
    name: displayName(name, steamId),
    linkedAt,
    server: server ? { id: server.id, name: server.name } : null,
  }));
}

/** Reads the ids of a user's Steam accounts, oldest link first. */
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
