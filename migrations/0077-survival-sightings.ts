import type { QueryInterface } from "sequelize";

/** Adds the successor of `survival_players`. The previous release still writes that table; it is dropped later. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- The players seen on each server, with their names there.
    create table survival_sightings (
      server_id integer not null references survival_servers on delete cascade,
      steam_id text not null,
      name text not null,
      first_seen_at timestamptz not null default clock_timestamp(),
      last_seen_at timestamptz not null default clock_timestamp(),
      primary key (server_id, steam_id)
    );
    create index survival_sightings_newest on survival_sightings (steam_id, last_seen_at desc);

    insert into survival_sightings (server_id, steam_id, name, first_seen_at, last_seen_at)
    select seen.server_id, seen.steam_id, coalesce(player.name, max(seen.name), ''),
      min(seen.at), max(seen.at)
    from (
      select wipe.server_id, tally.steam_id, tally.name, tally.updated_at as at
      from survival_tallies tally join survival_wipes wipe on wipe.id = tally.wipe_id
      union all
      select wipe.server_id, kill.steam_id, null, kill.last_at
      from survival_npc_kills kill join survival_wipes wipe on wipe.id = kill.wipe_id
      union all
      select server_id, steam_id, name, connected_at from survival_presence
      union all
      select server_id, payload ->> 'steamId', payload ->> 'name', created_at
      from survival_events
      where kind in ('player.joined', 'player.left') and payload ->> 'steamId' is not null
    ) seen
    left join survival_players player on player.steam_id = seen.steam_id
    group by seen.server_id, seen.steam_id, player.name
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table survival_sightings");
}
