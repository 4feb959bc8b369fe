export const setWorldReadySql = `
  update survival_server_states set hello = hello || '{"worldReady": true}' where server_id = $1`;

export const upsertServerReportSql = (column: "hello" | "status"): string =>
  `insert into survival_server_states (server_id, ${column}, online_since, last_seen_at)
     values ($1, $2, clock_timestamp(), clock_timestamp())
     on conflict (server_id) do update
     set ${column} = excluded.${column}, last_seen_at = excluded.last_seen_at,
       online_since = coalesce(survival_server_states.online_since, excluded.online_since)`;

export const selectWorldKeySql = `
  select save_id::text as key from survival_wipes where server_id = $1 and save_id = $2`;

export const selectWorldIdSql = `select save_id as "saveId" from survival_server_states where server_id = $1`;

/** Reopens the current world if it had ended: an earlier save may be restored. */
export const upsertWipeSql = `
  insert into survival_wipes
    (server_id, save_id, started_at, kind, forced, save_protocol, level, seed, world_size)
  values ($1, $2::bigint, to_timestamp($2::bigint / 1000.0), coalesce($3, 'unknown'), coalesce($4, false), $5, $6,
    $7, $8)
  on conflict (server_id, save_id) do update
  set ended_at = null, kind = coalesce($3, survival_wipes.kind),
    forced = coalesce($4, survival_wipes.forced),
    save_protocol = coalesce($5, survival_wipes.save_protocol),
    level = coalesce($6, survival_wipes.level), seed = coalesce($7, survival_wipes.seed),
    world_size = coalesce($8, survival_wipes.world_size)`;

/**
 * Ends all worlds except the current one. An older world ends at the creation of the current world, a newer one
 * at the time of this report.
 */
export const endOtherWorldsSql = `
  update survival_wipes
  set ended_at = to_timestamp((case when save_id < $2::bigint then $2::bigint else $3::bigint end) / 1000.0)
  where server_id = $1 and save_id <> $2::bigint and ended_at is null`;

export const setCurrentWorldSql = `
  insert into survival_server_states (server_id, save_id) values ($1, $2::bigint)
  on conflict (server_id) do update
  set save_id = excluded.save_id, map = case
    when (survival_server_states.map ->> 'saveId')::bigint = $2::bigint then survival_server_states.map end`;

export const markWorldUnannouncedSql = `
  update survival_server_states
  set untold_save_id = $2::bigint, untold_since = clock_timestamp() where server_id = $1`;
