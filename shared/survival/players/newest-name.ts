import type { SurvivalSighting } from "../../../models/survival/survival-sighting.ts";
import type { Context } from "../../context.ts";
import { firstRow } from "../../db/rows.ts";
import { missing } from "../../errors.ts";

/**
 * SQL of the name of a player: as they are called on the server asked about, else where they were seen
 * last. What only a server that is not listed has seen is known to nobody.
 * @param steamId an expression
 * @param server an expression; null for all servers
 */
export const newestName = (steamId: string, server: string): string => `(
    select sighting.name
    from survival_sightings sighting
    join survival_servers server on server.id = sighting.server_id and server.listed
    where sighting.steam_id = ${steamId}
    order by (sighting.server_id = ${server}::integer) desc nulls last, sighting.last_seen_at desc
    limit 1
  )`;

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
