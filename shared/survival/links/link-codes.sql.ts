import { ingestSourceNameSql } from "../server-locks.ts";

/** Use the announcement's time only if it was replayed, because the game's clock may be wrong. */
const createdAtSql = "least(to_timestamp($2::bigint / 1000.0), clock_timestamp())";

const noteCodeSql = (column: string): string => `
  insert into survival_server_states (server_id, ${column}) values ($1, ${createdAtSql})
  on conflict (server_id) do update
  set ${column} = greatest(survival_server_states.${column}, excluded.${column})`;

export const recordHashedCodeTimeSql = noteCodeSql("link_minted_at");

export const recordUnhashedCodeTimeSql = noteCodeSql("link_unhashed_at");

/** Expired codes are kept for a day, so that a repeated announcement is recognized. */
export const deleteOldCodesSql = `
  delete from survival_link_codes
  where server_id = $1 and expires_at < clock_timestamp() - interval '1 day'`;

/** Deletes unused codes first, because a deleted used code could be announced again and link once more. */
export const deleteExpiredCodesSql = `
  with unused as (
    delete from survival_link_codes
    where server_id = $1 and expires_at < clock_timestamp() and used_at is null returning 1
  )
  delete from survival_link_codes
  where server_id = $1 and expires_at < clock_timestamp() and used_at is not null
    and not exists (select from unused)`;

export const selectCodeKeySql =
  "select digest as key from survival_link_codes where server_id = $1 and digest = $2";

export const insertCodeSql = `
  insert into survival_link_codes (server_id, salt, digest, expires_at)
  select $1, $2, $3, ends.at
  from (select least(to_timestamp($4::bigint / 1000.0), clock_timestamp())
    + make_interval(secs => $5::float8 / 1000) as at) ends
  where ends.at > clock_timestamp()
  on conflict (server_id, digest) do nothing`;

/** SQL condition on `server`: true if the site accepts links from the server. */
const acceptsLinksSql = "server.enabled and server.listed and server.accepts_links";

export const selectLiveCodesSql = `
  select code.id, code.server_id as "serverId", code.salt, code.digest, code.used_at as "usedAt",
    code.used_by as "usedBy", code.steam_id as "steamId"
  from survival_link_codes code
  join survival_servers server on server.id = code.server_id
  where code.expires_at > clock_timestamp() and ${acceptsLinksSql}
  order by code.id desc`;

export const selectConnectedServerSql = `
  select from survival_servers server
  join ingest_sources source on source.source = ${ingestSourceNameSql("server.id")}
  where ${acceptsLinksSql} and source.state = 'connected' limit 1`;

export const selectOutdatedServersSql = `
  select server.slug from survival_servers server
  join survival_server_states state on state.server_id = server.id
  where ${acceptsLinksSql} and state.link_unhashed_at is not null
    and (state.link_minted_at is null or state.link_unhashed_at > state.link_minted_at)
  order by 1`;
