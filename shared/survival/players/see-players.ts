/**
 * Notes who was seen, out of a relation `given` with `steam_id` and `name`. A row that is as it was a
 * minute ago is left alone, or the servers that a player is known on would wait for one another.
 */
export const seePlayers = `
  insert into survival_players (steam_id, name)
  select given.steam_id, given.name
  from given left join survival_players known on known.steam_id = given.steam_id
  where known.steam_id is null or known.name <> given.name
    or known.last_seen_at < clock_timestamp() - interval '1 minute'
  order by given.steam_id
  on conflict (steam_id) do update set name = excluded.name, last_seen_at = clock_timestamp()`;
