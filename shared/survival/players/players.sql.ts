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

export const selectPlayerNameSql = `select name from ${playerNameSql("$1", "$2")} player`;

export const selectSightingKeysSql = `
  select steam_id as key from survival_sightings
  where server_id = $1 and steam_id = any($2::text[])`;

export const upsertSightingsSql = `
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

export const deleteOtherSessionsSql =
  "delete from survival_presence where server_id = $1 and steam_id <> all($2::text[])";

export const deleteSessionSql = `delete from survival_presence
     where server_id = $1 and steam_id = $2 and connected_at = to_timestamp($3 / 1000.0)`;

export const selectSessionKeysSql = `
  select steam_id as key from survival_presence
  where server_id = $1 and steam_id = any($2::text[])`;

/** Raises the world's peak number of players. It counts the given players and all others who are online. */
const raisePeakSql = `
  update survival_wipes set peak = present.count
  from (
    select (count(*) + cardinality($2::text[]))::integer as count
    from survival_presence where server_id = $1 and steam_id <> all($2::text[])
  ) present, survival_server_states state
  where survival_wipes.server_id = $1 and state.server_id = $1
    and survival_wipes.save_id = state.save_id and coalesce(peak, -1) < present.count`;

export const upsertSessionsSql = `
  with given as (
    select * from unnest($2::text[], $3::text[], $4::bigint[]) as given (steam_id, name, connected_at)
  ), raised as (
    ${raisePeakSql}
  )
  insert into survival_presence (server_id, steam_id, name, connected_at)
  select $1, steam_id, name, to_timestamp(connected_at / 1000.0) from given order by steam_id
  on conflict (server_id, steam_id) do update
  set name = excluded.name, connected_at = excluded.connected_at`;

export const selectWipeSql = "select id from survival_wipes where server_id = $1 and save_id = $2";

export const selectTallyKeysSql = `
  select steam_id as key from survival_tallies where wipe_id = $1 and steam_id = any($2::text[])`;

export const upsertTalliesSql = `
  insert into survival_tallies (wipe_id, steam_id, name, is_staff)
  select $1, steam_id, name, is_staff
  from unnest($2::text[], $3::text[], $4::boolean[]) as given (steam_id, name, is_staff)
  order by steam_id
  on conflict (wipe_id, steam_id) do update
  set name = excluded.name, is_staff = excluded.is_staff, updated_at = clock_timestamp()`;

/** Raises scores to higher values. Returns the number of players whose new value is below the stored value. */
export const raiseScoresSql = `
  with given as (
    select * from unnest($2::text[], $3::text[], $4::bigint[]) as given (stat, steam_id, value)
  ), raised as (
    insert into survival_scores (wipe_id, stat, steam_id, value)
    select $1, stat, steam_id, value from given where value > 0
    order by steam_id, stat
    on conflict (wipe_id, stat, steam_id) do update
    set value = excluded.value, reached_at = clock_timestamp()
    where survival_scores.value < excluded.value
  )
  select count(distinct given.steam_id)::integer as fallen
  from given join survival_scores score
    on score.wipe_id = $1 and score.stat = given.stat and score.steam_id = given.steam_id
  where score.value > given.value`;

export const insertScoreWarningSql = `
  insert into activity_log (action, target_type, target_id, detail)
  select 'survival.wipe.figures-fell', 'survival_server', $1::integer::text,
    jsonb_build_object('wipeId', $2::integer, 'players', $3::integer)
  where not exists (
    select from activity_log
    where action = 'survival.wipe.figures-fell' and target_type = 'survival_server'
      and target_id = $1::integer::text and detail ->> 'wipeId' = $2::integer::text
      and at > clock_timestamp() - interval '1 day')`;
