/** Prefix of the application name of the owner's connection. The name of the source follows. */
export const ownerConnectionName = "guildhall ingest ";

/**
 * SQL condition on a row of `ingest_sources`: true if its owner is inactive for too long. A heartbeat
 * waits for the owner's transaction and is visible only after it, so activity of the connection counts
 * too: a working owner runs statements, while the session of a paused or lost owner waits for its client.
 * @param seconds a parameter or a number
 */
export const isOwnerInactiveSql = (seconds: string): string =>
  noHeartbeatOrWorkSql(seconds, "'Client'");

/**
 * SQL condition for the displayed state of a link: here an owner that waits for a lock counts as inactive too.
 */
export const isOwnerStuckSql = (seconds: string): string =>
  noHeartbeatOrWorkSql(seconds, "'Client', 'Lock'");

const noHeartbeatOrWorkSql = (seconds: string, idleWaits: string): string => `(
  coalesce(beat_at, '-infinity') < clock_timestamp() - make_interval(secs => ${seconds})
  and not exists (
    select from pg_stat_get_activity(backend_pid) activity
    where activity.pid = backend_pid and application_name = '${ownerConnectionName}' || source
      and case when activity.state = 'active' and wait_event_type is distinct from 'Client'
        then coalesce(wait_event_type, '') not in (${idleWaits})
        else state_change > clock_timestamp() - make_interval(secs => ${seconds}) end))`;
