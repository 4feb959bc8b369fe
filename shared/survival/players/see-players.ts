import { rows } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { StorageRoom } from "../storage/room.ts";

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
