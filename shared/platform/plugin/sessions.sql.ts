import { isLinkedByPluginSql, lockSourceSql } from "./sources.ts";

export const insertSessionSql = `with locked as materialized (${lockSourceSql("$1")})
     insert into plugin_sessions (source) select source from locked
     on conflict (source) do nothing`;

/** SQL condition: true if the answer to a hello requested a resync within the last 10 seconds. */
export const wasResyncRequestedSql = "resync_told_at > clock_timestamp() - interval '10 seconds'";

export const selectSessionStateSql = `select ${isLinkedByPluginSql("$1")} as "isLinked", session.boot_id as "bootId", session.epoch,
       session.seq, session.former_boots as "formerBoots", read.epoch as "readEpoch",
       read.seq as "readSeq", read.boot_id as "readBootId", read.stale,
       coalesce(${wasResyncRequestedSql}, false) as "wasTold"
     from plugin_sessions session join ingest_sources read using (source)
     where source = $1 for update of session`;

export const updateRefusalSql = `update plugin_sessions set refusal = $3
     where source = $1 and (boot_id = $2 or alive_until > clock_timestamp() is not true)`;

export const updateSessionSql = `update plugin_sessions set boot_id = $2, epoch = $3, seq = $4, hello = $5::jsonb,
       hello_at = clock_timestamp(), heard_at = clock_timestamp(), refusal = null,
       alive_until = clock_timestamp() + make_interval(secs => $6), former_boots = $7::jsonb,
       wait_id = case when boot_id = $2 then wait_id end,
       resync_told_at = case when $8::boolean then clock_timestamp() end, key_id = $9
     where source = $1`;

export const resetSessionSql = `update plugin_sessions set boot_id = null, alive_until = null, wait_id = null, refusal = null
     where source = $1`;

export const resetSourceStateSql = `update ingest_sources set state = 'reconnecting', state_since = clock_timestamp(), reason = null
     where source = $1`;

export const lockSessionSql = "select source from plugin_sessions where source = $1 for update";

export const beginPollSql = {
  name: "plugin_wait_begin",
  text: `
  with former as (
    select wait_id from plugin_sessions where source = $1 and boot_id = $2),
  begun as (
    update plugin_sessions set wait_id = $3::uuid,
      alive_until = clock_timestamp() + make_interval(secs => $4::integer)
    where source = $1 and boot_id = $2 returning source)
  select pg_notify('plugin_calls', json_build_object('source', source)::text) from begun
  where exists (select from former where wait_id is not null)`,
};

export const endPollSql = {
  name: "plugin_wait_end",
  text: `
  update plugin_sessions set wait_id = null,
    alive_until = clock_timestamp() + make_interval(secs => $3::integer)
  where source = $1 and wait_id = $2::uuid`,
};

export const selectPollStateSql = {
  name: "plugin_wait_state",
  text: `
  select ${isLinkedByPluginSql("$1")} as "isLinked", coalesce(wait_id = $2::uuid, false) as "isNewest",
    boot_id as "bootId", former_boots as "formerBoots"
  from plugin_sessions where source = $1`,
};

export const selectBootsSql = `select boot_id as "bootId", former_boots as "formerBoots" from plugin_sessions
     where source = $1`;
