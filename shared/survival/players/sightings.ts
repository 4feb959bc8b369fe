import type { SurvivalSighting } from "../../../models/survival/players/survival-sighting.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { missing } from "../../platform/errors/errors.ts";
import type { StorageRoom } from "../storage/room.ts";

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

interface Place {
  readonly serverId: number;
  readonly connection: Sql;
  readonly room: StorageRoom;
}

interface Seen {
  readonly steamId: string;
  readonly name: string;
}

/**
 * Notes who was seen on a server. Each server has rows of its own: none waits for another, and none names
 * players on the pages of another. A row that is as it was a minute ago is left alone.
 */
export async function seePlayers(
  players: readonly Seen[],
  { serverId, connection, room }: Place,
): Promise<void> {
  const seen = await room.fit("sightings", players, {
    keyOf: ({ steamId }) => steamId,
    sql: storedSightings,
    values: [serverId, players.map(({ steamId }) => steamId)],
  });
  if (seen.length === 0) return;
  await rows(connection, note, [
    serverId,
    seen.map(({ steamId }) => steamId),
    seen.map(({ name }) => name),
  ]);
}

const storedSightings = `
  select steam_id as key from survival_sightings
  where server_id = $1 and steam_id = any($2::text[])`;

const note = `
  insert into survival_sightings (server_id, steam_id, name)
  select $1::integer, given.steam_id, given.name
  from unnest($2::text[], $3::text[]) as given (steam_id, name)
  left join survival_sightings known
    on known.server_id = $1::integer and known.steam_id = given.steam_id
  where known.steam_id is null or known.name <> given.name
    or known.last_seen_at < clock_timestamp() - interval '1 minute'
  order by given.steam_id
  on conflict (server_id, steam_id) do update
  set name = excluded.name, last_seen_at = clock_timestamp()`;
