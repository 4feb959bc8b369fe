import { anyRunListens, storingNews } from "../../facts/emit-triggers.ts";
import { jsonArray } from "../../platform/db/sql-text.ts";
import { accountsTold } from "./announce-events.ts";
import type { CheckedEvent } from "./checked-frames.ts";
import { type Told, toldOf } from "./tell-gates.ts";

/** Who may wait for events of a batch, and what they are told. */
export interface News {
  readonly told: readonly Told[];
  readonly accounts: readonly string[];
}

export const newsOf = (events: readonly CheckedEvent[]): News => ({
  told: toldOf(events),
  accounts: accountsTold(events),
});

export const noNews: News = { told: [], accounts: [] };

/** Whether somebody may wait for any of it. */
export const mayBeAwaited = ({ told, accounts }: News): boolean =>
  told.length > 0 || accounts.length > 0;

/**
 * CTEs that take the source (`taken`) from a CTE `owner`, unless somebody waits for one of the events:
 * a job must tell of that.
 */
export const takingUnlessAwaited = `waiting as (
    select ${anyRunListens("$18::text[]")}
      or exists (select from shard_links where account_key = any($19::text[])) as awaited
  ), taken as (
    select source from owner, waiting where not awaited
  )`;

/** CTEs that store the news of what a CTE `stored` has stored. */
export const storingToldNews = `told as (
    select row_number() over (order by id) as place, kind as trigger, t, one.event_key, one.variables
    from stored join unnest($20::bigint[], $21::text[], $22::jsonb[])
      as one (seq, event_key, variables) using (seq)
  ), ${storingNews("$1")}`;

/** Of `$18` to `$22`. */
export const valuesOfNews = ({ told, accounts }: News): unknown[] => [
  [...new Set(told.map(({ trigger }) => trigger))],
  accounts,
  told.map(({ seq }) => seq),
  told.map(({ eventKey }) => eventKey),
  jsonArray(told.map(({ variables }) => JSON.stringify(variables))),
];
