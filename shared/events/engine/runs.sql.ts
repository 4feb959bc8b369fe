import type { QueueName } from "../../platform/queue/queues.ts";

/**
 * SQL that is true if a run listens to a source. The scope `site` covers all sources, `family:*`
 * all sources of a family, and any other scope one source. Every scope covers the source `site`.
 */
const isInScopeSql = (scope: string): string =>
  `(${scope} in ('site', known.source) or known.source = 'site' or ${scope} = split_part(known.source, ':', 1) || ':*')`;

/** SQL of the last event number that a run has read from a source; 0 if it has read none. */
const lastReadSql = (heard: string): string => `coalesce((${heard} ->> known.source)::bigint, 0)`;

export const selectRunsWithUnreadEventsSql = `select run.id from event_runs run
     where run.listens_for is not null and exists (
       select from event_news_sources known
       where ${isInScopeSql("run.scope")} and known.last > ${lastReadSql("run.heard")} and exists (
         select from event_news news
         where news.trigger = run.listens_for and news.source = known.source
           and news.number > ${lastReadSql("run.heard")}))
     order by run.id limit $1`;

/** Maximum number of events per query. */
export const maxGateEventsPerQuery = 500;

export const selectGateEventsSql = `select source, number::float8 as number, event_key as "eventKey", t::float8 as t, variables
     from (
       select news.* from event_news_sources known cross join lateral (
         select * from event_news
         where event_news.trigger = $1 and event_news.source = known.source
           and event_news.number > ${lastReadSql("$2::jsonb")}
         order by event_news.number limit ${maxGateEventsPerQuery}
       ) news
       where ${isInScopeSql("$3::text")}
       order by news.number limit ${maxGateEventsPerQuery}
     ) page
     order by stored_at, source, page.number`;

export const insertTriggerHitsSql = `with heard as (update event_runs set heard = heard || $3::jsonb where id = $1)
     insert into event_trigger_hits (run_id, phase, source, event_key, variables, at)
     select $1, $2, given.source, given.event_key, given.variables,
       clock_timestamp() + given.place * interval '1 microsecond'
     from (
       select distinct on (source, event_key) *
       from unnest($4::text[], $5::text[], $6::jsonb[]) with ordinality
         as told (source, event_key, variables, place)
       order by source, event_key, place
     ) given
     where not exists (
       select from event_trigger_hits hit
       where hit.run_id = $1 and hit.phase = $2 and hit.source = given.source
         and hit.event_key = given.event_key)
     order by given.place limit $7
     on conflict do nothing
     returning variables`;

export const deleteOldGateEventsSql =
  "delete from event_news where stored_at < now() - make_interval(days => $1)";

const queue: QueueName = "event.step";

/**
 * SQL that is true if an administrator paused the queue of steps. Steps also start without a job,
 * so the sweep and the end of the preceding step must check this too.
 */
export const areStepsPausedSql = `exists (select from paused_queues where queue = '${queue}')`;
