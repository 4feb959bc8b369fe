import { ownerIsInactive } from "./owner-activity.ts";

/** Notes the game process of a source. */
export const noteBoot = "update ingest_sources set boot_id = $2 where source = $1";

/** The buffer, the game process and the position that are known of a source. */
export const selectStream = `
  select epoch, boot_id as "bootId", seq from ingest_sources where source = $1`;

/** Makes a process the owner of a source. Answers its fence. */
export const raiseFence = `
  update ingest_sources
  set fence = fence + 1, owner = $2, backend_pid = pg_backend_pid(), beat_at = clock_timestamp()
  where source = $1 returning fence`;

/** Notes that the owner of a source is there. */
export const beat = `
  update ingest_sources set beat_at = clock_timestamp() where source = $1 and fence = $2`;

/** Keeps a source from being taken over until the transaction ends. */
export const holdFence =
  "select 1 from ingest_sources where source = $1 and fence = $2 for no key update";

/** Ends the connection of an owner that has done nothing for too long. */
export const endInactive = `
  select pg_terminate_backend(activity.pid)
  from ingest_sources join pg_stat_activity activity on activity.pid = backend_pid
  where source = $1 and datname = current_database() and application_name = $2
    and ${ownerIsInactive("$3")}`;

/** Writes how the link of a source stands, and counts the duplicates that its socket dropped. */
export const reportStatus = `
  update ingest_sources set state = $3,
    state_since = case when state = $3 then state_since else clock_timestamp() end, reason = $4,
    plugin_connected = $5, last_ack_at = coalesce($6, last_ack_at), received = received + $7,
    duplicates = duplicates + $7
  where source = $1 and fence = $2 returning unknown_links as "unknownLinks"`;
