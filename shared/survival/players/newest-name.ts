import type { SurvivalSighting } from "../../../models/survival/players/survival-sighting.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { missing } from "../../platform/errors/errors.ts";

/**
 * SQL of the name of a player, one row for somebody who was seen on a listed server. A server names
 * players on its own pages. Everywhere else the name is that of the Steam link, or the one on the server
 * whose links count where they were last, or else the Steam id: no other server names them there. It asks
 * no `exists`, for which a planner reads everybody who was ever seen.
 * @param steamId an expression
 * @param server an expression; null for all servers
 */
export const newestName = (steamId: string, server: string): string => `(
    select coalesce(
      (select sighting.name ${seenListed(steamId)} and sighting.server_id = ${server}::integer),
      (select link.name from steam_links link where link.steam_id = ${steamId}::text collate "default"),
      (select sighting.name ${seenListed(steamId)} and server.accepts_links
        order by sighting.last_seen_at desc limit 1),
      ${steamId}) as name
    where (select true ${seenListed(steamId)} limit 1) is not null
  )`;

/** In the collation of the index: an id from a table that has another one would find no index. */
const seenListed = (steamId: string): string => `
  from survival_sightings sighting
  join survival_servers server on server.id = sighting.server_id and server.listed
  where sighting.steam_id = ${steamId}::text collate "default"`;

const readName = `select name from ${newestName("$1", "$2")} player`;

/** Undefined for somebody who was seen on no server that is listed. */
export async function findName(
  steamId: string,
  serverId: number | null,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<string | undefined> {
  const found = await firstRow<Pick<SurvivalSighting, "name">>(sequelize, readName, [
    steamId,
    serverId,
  ]);
  return found?.name;
}

/** @throws AppError missing for somebody who was seen on no server that is listed */
export async function requirePlayer(
  steamId: string,
  context: Pick<Context, "sequelize">,
): Promise<void> {
  if ((await findName(steamId, null, context)) === undefined) throw missing("Unknown player");
}
