import type { Context } from "../../platform/context.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { displayName } from "../plain-texts.ts";
import { findName } from "../players/sightings.ts";
import { findWorlds, type WorldQuery, type WorldScope } from "../rankings/scope.ts";
import { readKillsOf } from "./rankings.ts";

/** Reads kills by profile. @throws AppError missing if no listed server has seen the player */
export async function readPlayerKills(
  steamId: string,
  query: WorldQuery,
  context: Pick<Context, "models" | "sequelize">,
): Promise<object> {
  const scope = await findWorlds(query, context);
  const name = await findName(steamId, scope.serverId, context);
  if (name === undefined) throw notFoundError("Unknown player");
  return {
    player: { steamId, name: displayName(name, steamId) },
    profiles: await readKillsOf([steamId], scope, context),
  };
}

/** Reads the kills of a user with all linked Steam accounts. */
export async function readOwnKills(
  userId: number,
  scope: WorldScope,
  context: Pick<Context, "models" | "sequelize">,
): Promise<object> {
  const links = await context.models.SteamLink.findAll({
    where: { userId },
    attributes: ["steamId", "name"],
    order: ["linkedAt", "steamId"],
    raw: true,
  });
  const steamIds = links.map(({ steamId }) => steamId);
  return {
    players: links.map(({ steamId, name }) => ({ steamId, name: displayName(name, steamId) })),
    profiles: await readKillsOf(steamIds, scope, context),
  };
}
