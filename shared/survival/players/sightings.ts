import type { SurvivalSighting } from "../../../models/survival/players/survival-sighting.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import type { StorageQuota } from "../storage/quota.ts";

/**
 * SQL of a player's name; one row if a listed server has seen the player. A page of one server shows that
 * server's name. Other pages show the name of the Steam link, else the newest name from a server that
 * accepts links, else the Steam id, so that no other server can rename players. It avoids `exists`,
 * because the planner would read all sightings.
 * @param steamId SQL of the Steam id
 * @param server SQL of the server's id; null for all servers
 */
export const playerNameSql = (steamId: string, server: string): string => `(
    select coalesce(
      (select sighting.name ${seenListed(steamId)} and sighting.server_id = ${server}::integer),
      (select link.name from steam_links link where link.steam_id = ${steamId}::text collate "default"),
      (select sighting.name ${seenListed(steamId)} and server.accepts_links
        order by sighting.last_seen_at desc limit 1),
      ${steamId}) as name
    where (select true ${seenListed(steamId)} limit 1) is not null
  )`;

/** Uses the collation of the index. With another collation, the index would not be used. */
const seenListed = (steamId: string): string => `
  from survival_sightings sighting
  join survival_servers server on server.id = sighting.server_id and server.listed
  where sighting.steam_id = ${steamId}::text collate "default"`;

const readName = `select name from ${playerNameSql("$1", "$2")} player`;

/** Returns a player's name; undefined if no listed server has seen the player. */
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

/** @throws AppError missing if no listed server has seen the player */
export async function requirePlayer(
  steamId: string,
  context: Pick<Context, "sequelize">,
): Promise<void> {
  if ((await findName(steamId, null, context)) === undefined) throw notFoundError("Unknown player");
}

interface SightingContext {
  readonly serverId: number;
  readonly connection: SqlClient;
  readonly room: StorageQuota;
}

interface SeenPlayer {
  readonly steamId: string;
  readonly name: string;
}

/**
 * Stores which players were seen on a server. Each server has its own rows, so servers neither wait for
 * each other nor rename each other's players. A row is rewritten at most once a minute.
 */
export async function recordSightings(
  players: readonly SeenPlayer[],
  { serverId, connection, room }: SightingContext,
): Promise<void> {
  const seen = await room.selectFitting("sightings", players, {
    keyOf: ({ steamId }) => steamId,
    sql: storedSightings,
    values: [serverId, players.map(({ steamId }) => steamId)],
  });
  if (seen.length === 0) return;
  await rows(connection, upsertSightings, [
    serverId,
    seen.map(({ steamId }) => steamId),
    seen.map(({ name }) => name),
  ]);
}

const storedSightings = `
  select steam_id as key from survival_sightings
  where server_id = $1 and steam_id = any($2::text[])`;

const upsertSightings = `
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
