import { isOwnerInactiveSql } from "./owner-activity.ts";

export const storeBootSql = "update ingest_sources set boot_id = $2 where source = $1";

export const selectStreamSql = `
  select epoch, boot_id as "bootId", seq from ingest_sources where source = $1`;

export const raiseFenceSql = `
  update ingest_sources
  set fence = fence + 1, owner = $2, backend_pid = pg_backend_pid(), beat_at = clock_timestamp()
  where source = $1 returning fence`;

export const heartbeatSql = `
  update ingest_sources set beat_at = clock_timestamp() where source = $1 and fence = $2`;

/** Prevents another process from taking over a source until the transaction ends. */
export const lockFenceSql =
  "select 1 from ingest_sources where source = $1 and fence = $2 for no key update";

export const terminateInactiveSql = `
  select pg_terminate_backend(activity.pid)
  from ingest_sources join pg_stat_activity activity on activity.pid = backend_pid
  where source = $1 and datname = current_database() and application_name = $2
    and ${isOwnerInactiveSql("$3")}`;

export const updateSourceStatusSql = `
  with former as (
    select source, state, plugin_connected from ingest_sources where source = $1 and fence = $2
    for no key update
  )
  update ingest_sources known set state = $3,
    state_since = case when known.state = $3 then state_since else clock_timestamp() end,
    reason = $4, plugin_connected = $5, last_ack_at = coalesce($6, last_ack_at),
    received = received + $7, duplicates = duplicates + $7
  from former where known.source = former.source
  returning unknown_links as "unknownLinks",
    former.state <> known.state or former.plugin_connected <> known.plugin_connected as "isOther"`;
