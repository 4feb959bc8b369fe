import type { Sequelize, Transaction } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventTriggerHit } from "../../../models/events/event-trigger-hit.ts";
import type { TriggerEvent } from "../../../models/events/trigger-event.ts";
import { countChanged, rows } from "../../platform/db/rows.ts";
import type { RunFacts } from "./lock-run.ts";

/** An event that a gate may count. */
export type GateEvent = Pick<TriggerEvent, "source" | "number" | "eventKey" | "t" | "variables">;

/** Maximum number of events per query. */
export const gateEventPage = 500;

/** Days for which trigger events are kept. Runs read them within seconds. */
const retentionDays = 7;

/**
 * SQL that is true if a run listens to a source. The scope `site` covers all sources, `family:*`
 * all sources of a family, and any other scope one source. Every scope covers the source `site`.
 */
const isInScopeSql = (scope: string): string =>
  `(${scope} in ('site', known.source) or known.source = 'site' or ${scope} = split_part(known.source, ':', 1) || ':*')`;

/** SQL of the last event number that a run has read from a source; 0 if it has read none. */
const lastReadSql = (heard: string): string => `coalesce((${heard} ->> known.source)::bigint, 0)`;

/** Returns the runs with unread events of the trigger that their gate waits for. */
export async function findRunsWithUnreadEvents(
  sequelize: Sequelize,
  limit: number,
): Promise<number[]> {
  const found = await rows<Pick<EventRun, "id">>(
    sequelize,
    `select run.id from event_runs run
     where run.listens_for is not null and exists (
       select from event_news_sources known
       where ${isInScopeSql("run.scope")} and known.last > ${lastReadSql("run.heard")} and exists (
         select from event_news news
         where news.trigger = run.listens_for and news.source = known.source
           and news.number > ${lastReadSql("run.heard")}))
     order by run.id limit $1`,
    [limit],
  );
  return found.map(({ id }) => id);
}

interface ReadPosition extends Pick<RunFacts, "heard" | "scope"> {
  readonly trigger: string;
}

/** Returns unread events in storage order; the events of one source keep their order. */
export const readGateEvents = (
  { trigger, heard, scope }: ReadPosition,
  transaction: Transaction,
): Promise<GateEvent[]> =>
  rows<GateEvent>(
    transaction,
    `select source, number::float8 as number, event_key as "eventKey", t::float8 as t, variables
     from (
       select news.* from event_news_sources known cross join lateral (
         select * from event_news
         where event_news.trigger = $1 and event_news.source = known.source
           and event_news.number > ${lastReadSql("$2::jsonb")}
         order by event_news.number limit ${gateEventPage}
       ) news
       where ${isInScopeSql("$3::text")}
       order by news.number limit ${gateEventPage}
     ) page
     order by stored_at, source, page.number`,
    [trigger, JSON.stringify(heard), scope],
  );

/** Returns the highest event number of each source. */
export const lastNumbersOf = (news: readonly GateEvent[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(news, ({ source }) => source)].map(([source, own]) => [
      source,
      Math.max(...own.map(({ number }) => number)),
    ]),
  );

interface CountedPage {
  /** How many events the gate still needs. Events beyond this number are not counted. */
  readonly most: number;
  readonly runId: number;
  readonly phase: string;
  /** The last event number that the run has read, by source. */
  readonly heard: Readonly<Record<string, number>>;
}

type Hit = Pick<GateEvent, "source" | "eventKey" | "variables">;

/** Counts events for the gate of a phase, each once, and stores the run's read position. */
export const insertTriggerHits = (
  { runId, phase, heard, most }: CountedPage,
  hits: readonly Hit[],
  transaction: Transaction,
): Promise<Pick<EventTriggerHit, "variables">[]> =>
  rows<Pick<EventTriggerHit, "variables">>(
    transaction,
    `with heard as (update event_runs set heard = heard || $3::jsonb where id = $1)
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
     returning variables`,
    [
      runId,
      phase,
      JSON.stringify(heard),
      hits.map(({ source }) => source),
      hits.map(({ eventKey }) => eventKey),
      hits.map(({ variables }) => JSON.stringify(variables)),
      most,
    ],
  );

/** Deletes events that are so old that every run has read them. */
export const deleteOldGateEvents = (sequelize: Sequelize): Promise<number> =>
  countChanged(
    sequelize,
    "delete from event_news where stored_at < now() - make_interval(days => $1)",
    [retentionDays],
  );
