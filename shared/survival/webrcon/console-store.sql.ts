import { ingestSourceNameSql } from "../server-locks.ts";

const recentSql = "dial > clock_timestamp() - interval '5 minutes'";

/**
 * Adds a dial, unless three dials were added within the last five minutes. Locks the row, so that concurrent
 * processes count all dials.
 */
export const reserveDialSql = `
  with recent as (
    select id, array(select dial from unnest(rcon_dials) dial where ${recentSql} order by dial) as dials
    from survival_servers where id = $1 for no key update
  ), reserved as (
    update survival_servers set rcon_dials = dials || clock_timestamp()
    from recent where survival_servers.id = recent.id and cardinality(dials) < 3
    returning rcon_dials[cardinality(rcon_dials)]::text as dial
  )
  select (select dial from reserved) as dial, extract(epoch from
    dials[1] + interval '5 minutes' - clock_timestamp())::float8 * 1000 as "waitMs"
  from recent`;

export const freeDialSql = `
  update survival_servers set rcon_dials = array_remove(rcon_dials, $2::timestamptz) where id = $1`;

export const selectStoredGameSql = `
  select source.boot_id as "bootId", state.save_id::float8 as "saveId",
    (state.hello ->> 'startedAt')::float8 as "startedAt"
  from survival_servers server
  left join survival_server_states state on state.server_id = server.id
  left join ingest_sources source on source.source = ${ingestSourceNameSql("server.id")}
  where server.id = $1`;

export const selectSessionStartsSql = `
  select steam_id as "steamId", (extract(epoch from connected_at) * 1000)::float8 as "connectedAt"
  from survival_presence where server_id = $1`;
