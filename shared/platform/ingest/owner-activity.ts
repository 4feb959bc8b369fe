/** The application name of an owner's connection, before the name of the source. */
export const ownerConnectionName = "guildhall ingest ";

/**
 * SQL that says of a row of `ingest_sources` whether its owner has done nothing for too long. Beats
 * wait behind the owner's transaction and are seen by others at its end, so what its connection
 * does counts as well: a working owner's runs statements, a paused or lost one's waits for it.
 * @param seconds a parameter or a number
 */
export const ownerIsInactive = (seconds: string): string => withoutBeatOrWork(seconds, "'Client'");

/** The same for whoever is told how the link stands: an owner that waits for a lock takes in nothing. */
export const ownerIsStuck = (seconds: string): string =>
  withoutBeatOrWork(seconds, "'Client', 'Lock'");

const withoutBeatOrWork = (seconds: string, idleWaits: string): string => `(
  coalesce(beat_at, '-infinity') < clock_timestamp() - make_interval(secs => ${seconds})
  and not exists (
    select from pg_stat_get_activity(backend_pid) activity
    where activity.pid = backend_pid and application_name = '${ownerConnectionName}' || source
      and case when activity.state = 'active' and wait_event_type is distinct from 'Client'
        then coalesce(wait_event_type, '') not in (${idleWaits})
        else state_change > clock_timestamp() - make_interval(secs => ${seconds}) end))`;
