import { playerNameSql } from "../players/players.sql.ts";
import { type RankingScope, withinScopeSql } from "../rankings/scope.ts";
import { hasTotalsSql, killTable, orderedPlayersSql } from "../rankings/score-tables.sql.ts";

/** A frame that names no world belongs to the current world. */
export const selectWorldSql = `
  select id from survival_wipes
  where server_id = $1 and save_id = coalesce($2::bigint,
    (select save_id from survival_server_states where server_id = $1))`;

export const selectKillKeySql = `
  select steam_id as key from survival_npc_kills
  where wipe_id = $1 and profile_key = $2 and steam_id = $3`;

export const countKillSql = `
  insert into survival_npc_kills (wipe_id, profile_key, steam_id, kills, last_at)
  values ($1, $2, $3, 1, to_timestamp($4::bigint / 1000.0))
  on conflict (wipe_id, profile_key, steam_id) do update
  set kills = survival_npc_kills.kills + 1,
    last_at = greatest(survival_npc_kills.last_at, excluded.last_at)`;

export const upsertPlacementStatesSql = `
  insert into survival_npc_servers (server_id, placements, boot_id) values ($1, $2, $3)
  on conflict (server_id) do update
  set placements = excluded.placements, boot_id = excluded.boot_id`;

export const recordNpcHelloSql = `
  insert into survival_npc_servers (server_id) values ($1)
  on conflict (server_id) do update set said_hello_at = excluded.said_hello_at`;

/** Placements that were created before any world was known belong to the first world. */
export const bindPlacementsToWorldSql = `
  update survival_npc_placements set save_id = $2::bigint where server_id = $1 and save_id is null`;

/** Kills in the requested worlds, without staff on servers that exclude them. */
const killsSql = `
  kills as (
    select kill.profile_key, kill.steam_id, sum(kill.kills)::integer as kills,
      max(kill.last_at) as last_at
    from survival_npc_kills kill
    join survival_wipes wipe on wipe.id = kill.wipe_id
    join survival_servers server on server.id = wipe.server_id
    where ${withinScopeSql} and not kill.left_out
    group by kill.profile_key, kill.steam_id
  )`;

/**
 * SQL: true if a profile has kills in `wipe`. Not written with `exists`, which would make the planner read all
 * kills.
 */
const hasKillsSql = (key: string): string => `(
  select true from survival_npc_kills kill
  where kill.profile_key = ${key} and kill.wipe_id = wipe.id
  order by kill.steam_id limit 1) is not null`;

/**
 * The ranked profiles: the site's profiles with `ranked`, and profiles unknown to the site that have
 * kills on a listed server. Deleted profiles are excluded. A recursive query skips through the index of
 * kills, so its cost does not grow with the number of kills.
 */
const rankedProfilesSql = `
  killed as (
    (select min(profile_key) as key from survival_npc_kills)
    union all
    select (select min(profile_key) from survival_npc_kills where profile_key > killed.key)
    from killed where killed.key is not null
  ), known as (
    select profile.key, profile.document ->> 'displayName' as display,
      (profile.document ->> 'boss')::boolean as boss
    from survival_npc_profiles profile
    where not profile.is_deleted and (profile.document ->> 'ranked')::boolean
    union all
    select killed.key, killed.key, false from killed
    where not exists (select from survival_npc_profiles profile where profile.key = killed.key)
      and exists (
        select from survival_wipes wipe
        join survival_servers server on server.id = wipe.server_id and server.listed
        where ${hasKillsSql("killed.key")})
  )`;

/** Maximum number of profiles in a ranking, because servers may invent names. */
export const maxProfiles = 1_000;

/** SQL of the ranked profiles, read from the stored totals of a scope. */
export function selectProfilesSql(kind: RankingScope["kind"]): string {
  const ordered = orderedPlayersSql(killTable, kind, "$5::text", "known.key");
  const isKept = hasTotalsSql(killTable, kind, "$5::text", "known.key");
  return `
  with recursive ${rankedProfilesSql}
  select known.key, known.display, known.boss, coalesce(summed.kills, 0)::integer as kills,
    coalesce(summed.players, 0)::integer as players, leader.steam_id as "steamId", player.name,
    leader.kills::integer as "leaderKills",
    ${isKept} or not exists (
      select from survival_wipes wipe
      join survival_servers server on server.id = wipe.server_id
      where ${withinScopeSql} and ${hasKillsSql("known.key")}) as "isKept"
  from known
  cross join lateral (
    select sum(total) as kills, sum(players) as players from survival_standing_counts
    where scope = $5::text and stat = 'npc:' || known.key and ${isKept}) summed
  left join lateral (
    select ordered.steam_id, ${ordered.value} as kills from ${ordered.from}
    where ${ordered.where} and ${isKept}
    order by ${ordered.value} desc, ${ordered.at}, ordered.steam_id limit 1) leader on true
  left join lateral ${playerNameSql("leader.steam_id", "$1")} player on true
  where $4::text is null or known.key = $4
  order by 4 desc, 1
  limit ${maxProfiles}`;
}

/** SQL of the ranked profiles, computed from single kills while totals are missing. */
export const selectUncachedProfilesSql = `
  with recursive ${killsSql}, ${rankedProfilesSql}, leaders as (
    select distinct on (profile_key) profile_key, steam_id, kills
    from kills order by profile_key, kills desc, last_at, steam_id
  )
  select known.key, known.display, known.boss, coalesce(sum(kills.kills), 0)::integer as kills,
    count(kills.steam_id)::integer as players, leaders.steam_id as "steamId", player.name,
    leaders.kills as "leaderKills"
  from known
  left join kills on kills.profile_key = known.key
  left join leaders on leaders.profile_key = known.key
  left join lateral ${playerNameSql("leaders.steam_id", "$1")} player on true
  where $4::text is null or known.key = $4
  group by known.key, known.display, known.boss, leaders.steam_id, player.name, leaders.kills
  order by kills desc, key
  limit ${maxProfiles}`;

export const selectProfileKeySql = `with recursive ${rankedProfilesSql} select key from known where key = $1 limit 1`;

export const selectPlayerNamesSql = `
  select given.steam_id as "steamId", player.name from unnest($1::text[]) given (steam_id)
  cross join lateral ${playerNameSql("given.steam_id", "$2")} player`;

export const selectProfileNamesSql = `with recursive ${rankedProfilesSql} select key, display from known where key = any($1)`;
