import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";
import { shownName } from "../plain-texts.ts";
import { findName } from "../players/sightings.ts";
import { findWorlds, type WorldQuery, type WorldScope } from "../standings/scope.ts";
import { readKillsOf } from "./rankings.ts";

/**
 * What a player has killed, by profile.
 * @throws AppError missing for one who was seen on no listed server
 */
export async function readPlayerKills(
  steamId: string,
  query: WorldQuery,
  context: Pick<Context, "models" | "sequelize">,
): Promise<object> {
  const scope = await findWorlds(query, context);
  const name = await findName(steamId, scope.serverId, context);
  if (name === undefined) throw missing("Unknown player");
  return {
    player: { steamId, name: shownName(name, steamId) },
    profiles: await readKillsOf([steamId], scope, context),
  };
}

/** What a user has killed with all of the Steam accounts that they linked. */
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
    players: links.map(({ steamId, name }) => ({ steamId, name: shownName(name, steamId) })),
    profiles: await readKillsOf(steamIds, scope, context),
  };
}
