const nowMs = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

const openCalls = `jsonb_each_text(plugin_keys.calls) as open (id, until)
  where open.until::bigint > ${nowMs}`;

const isLive = "ended_at is null and (expires_at is null or expires_at > clock_timestamp())";

const isSameSecond = "second_began_at > clock_timestamp() - interval '1 second'";

export const beginCallSql = {
  name: "plugin_call_begin",
  text: `
  with begun as (update plugin_keys set
    calls = (select coalesce(jsonb_object_agg(open.id, open.until::bigint), '{}') from ${openCalls})
      || jsonb_build_object($2::text, ${nowMs} + $3::bigint),
    first_used_at = coalesce(first_used_at, statement_timestamp()),
    last_used_at = statement_timestamp(),
    second_began_at = case when $5::boolean and not coalesce(${isSameSecond}, false)
      then clock_timestamp() else second_began_at end,
    second_calls = case when not $5::boolean then second_calls
      when coalesce(${isSameSecond}, false) then second_calls + 1 else 1 end
  where digest = $1 and ${isLive}
    and (select count(*) from ${openCalls}) < $4::integer
    and (not $5::boolean or not coalesce(${isSameSecond}, false) or second_calls < $6::integer)
  returning id, source, first_used_at = last_used_at as is_first),
  -- The first call by a new key ends the keys before it.
  former as (update plugin_keys set ended_at = clock_timestamp() from begun
    where begun.is_first and plugin_keys.source = begun.source and plugin_keys.id < begun.id
      and plugin_keys.ended_at is null
    returning plugin_keys.source)
  select id as "keyId", source,
    (select pg_notify('plugin_calls', json_build_object('source', former.source)::text)
      from former limit 1)
  from begun`,
};

/** Ends a call. Marks the plugin as heard at most once per second: each update leaves a dead row. */
export const endCallSql = {
  name: "plugin_call_end",
  text: `
  with ended as (update plugin_keys set calls = calls - $2::text where id = $1 returning id)
  update plugin_sessions set heard_at = clock_timestamp(),
    alive_until = greatest(alive_until, clock_timestamp() + make_interval(secs => $4::integer))
  -- The count has the key locked before the session, as everywhere.
  where source = $3 and boot_id is not null and (select count(*) from ended) >= 0
    and $5::boolean
    and not coalesce(heard_at > clock_timestamp() - interval '1 second'
      and alive_until > clock_timestamp() + make_interval(secs => $4::integer - 1), false)`,
};

export const selectIsKeyLiveSql = `select ${isLive} as "isLive" from plugin_keys where digest = $1`;

export const selectLiveKeySql = `select 1 as live from plugin_keys where id = $1 and ${isLive}`;

/**
 * SQL condition: true if a key is valid. The body of a call may arrive long after its headers, so each
 * change that a call makes checks the key again.
 * @param keyId SQL of the key's id
 */
export const isKeyUsableSql = (keyId: string): string =>
  `exists (select from plugin_keys where plugin_keys.id = ${keyId} and ${isLive})`;

/** SQL condition: true if a source has a valid key. @param source SQL of the source's name */
export const hasLiveKeySql = (source: string): string =>
  `exists (select from plugin_keys where plugin_keys.source = ${source} and ${isLive})`;

/** SQL of a plugin's status. @param source SQL of the game server's name */
export const pluginStatusSql = (source: string): string => `(
  select json_build_object('hasKey', count(*) > 0, 'keyCreatedAt', max(created_at),
    'keyLastUsedAt', max(last_used_at),
    'plugin', (select hello -> 'plugin' from plugin_sessions where plugin_sessions.source = ${source}))
  from plugin_keys where plugin_keys.source = ${source} and ended_at is null
    and (expires_at is null or expires_at > clock_timestamp()))`;

export const selectPluginStatusSql = `select ${pluginStatusSql("$1")} as facts`;

export const lockKeysSql = `select id from plugin_keys where source = $1 and ended_at is null
     order by id desc for update`;

/** Ends the keys that a newer key has replaced. */
export const endFormerKeysSql = `update plugin_keys set ended_at = clock_timestamp()
     where source = $1 and ended_at is null and expires_at is not null`;

export const setKeyExpirySql = `update plugin_keys
     set expires_at = clock_timestamp() + make_interval(hours => $2)
     where source = $1 and ended_at is null`;

export const endKeysSql =
  "update plugin_keys set ended_at = clock_timestamp() where source = $1 and ended_at is null";

export const deleteOldKeysSql = `delete from plugin_keys
     where least(ended_at, expires_at) < clock_timestamp() - make_interval(days => $1::integer)`;
