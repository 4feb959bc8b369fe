/** Prefix of the application name of the owner's connection. The name of the source follows. */
export const ownerConnectionName = "guildhall ingest ";

/**
 * SQL condition on a row of `ingest_sources`: true if the source's owner is inactive for too long. The owner's
 * heartbeat becomes visible only after the owner's open transaction, so a running statement counts as activity
 * too. The session of a paused or lost owner runs no statement, but waits for its client.
 * @param seconds a parameter or a number
 */
export const isOwnerInactiveSql = (seconds: string): string =>
  noHeartbeatOrWorkSql(seconds, "'Client'");

/**
 * Like `isOwnerInactiveSql`, but for the displayed state of a link: an owner that waits for a lock counts as
 * inactive too.
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
