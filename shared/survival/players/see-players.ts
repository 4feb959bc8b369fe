/**
 * Notes who was seen on a server, out of a relation `given` with `steam_id` and `name`. Each server has
 * rows of its own: none waits for another, and none names players on the pages of another. A row that
 * is as it was a minute ago is left alone.
 * @param server the parameter that holds the server's id
 */
export const seePlayers = (server: string): string => `
  insert into survival_sightings (server_id, steam_id, name)
  select ${server}::integer, given.steam_id, given.name
  from given left join survival_sightings known
    on known.server_id = ${server}::integer and known.steam_id = given.steam_id
  where known.steam_id is null or known.name <> given.name
    or known.last_seen_at < clock_timestamp() - interval '1 minute'
  order by given.steam_id
  on conflict (server_id, steam_id) do update
  set name = excluded.name, last_seen_at = clock_timestamp()`;
