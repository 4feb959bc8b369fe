import type { Transaction } from "sequelize";

import type { EventNews } from "../../models/events/event-news.ts";
import type { Context } from "../platform/context.ts";
import { firstRow } from "../platform/db/rows.ts";
import { jsonArray } from "../platform/db/sql-text.ts";
import type { Sql } from "../platform/db/sql.ts";
import { problemOf, type Values } from "./param.ts";
import type { Trigger, Variable } from "./trigger.ts";
import { findTrigger } from "./triggers.ts";

/** Something that happened and that a gate may wait for. Only what everybody may know is told. */
export interface Happened extends Pick<EventNews, "trigger" | "eventKey" | "t"> {
  /** Of these the trigger's variables are kept, and nothing else. */
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Emitting {
  /** Who tells it: `shard`, or what a server is called among the sources. */
  readonly source: string;
  /** That of the change itself: it is told when that is stored, and not otherwise. */
  readonly within: Sql | Transaction;
  readonly context: Pick<Context, "queue">;
}

/**
 * CTEs that store the rows of a CTE `told` (place, trigger, event_key, t, variables) as news of a
 * source. The row of the source is locked until the end of the transaction: numbers are given out in
 * the order of the commits, so that a run may remember the last one that it heard.
 * @param source the SQL of its name
 */
export const storingNews = (source: string): string => `
  counted as (
    insert into event_news_sources as known (source, last)
    select ${source}, count(*) from told having count(*) > 0
    on conflict (source) do update set last = known.last + excluded.last
    returning last - (select count(*) from told) as before
  ), news as (
    insert into event_news (source, number, trigger, event_key, t, variables)
    select ${source}, counted.before + told.place, told.trigger, told.event_key, told.t,
      told.variables
    from counted, told
    order by told.place
  )`;

/** Whether a run waits for one of the triggers, as SQL. @param triggers the SQL of their names */
export const anyRunListens = (triggers: string): string =>
  `exists (select from event_runs where listens_for = any(${triggers}))`;

const statement = {
  name: "insert news",
  text: `
  with told as (
    select * from unnest($2::text[], $3::text[], $4::bigint[], $5::jsonb[]) with ordinality
      as given (trigger, event_key, t, variables, place)
  ), ${storingNews("$1")}
  select array_agg(distinct trigger) as kinds from told
  where exists (select from event_runs run where run.listens_for = told.trigger)`,
};

/**
 * Tells the runs of events what happened at a source. It locks the source, so it is the last thing
 * that a transaction does.
 */
export async function emitTriggers(
  happened: readonly Happened[],
  { source, within, context }: Emitting,
): Promise<void> {
  const known = happened.flatMap(({ variables, ...one }) => {
    const trigger = findTrigger(one.trigger);
    return trigger ? [{ ...one, variables: variablesOf(trigger, variables) }] : [];
  });
  if (known.length === 0) return;
  const found = await firstRow<{ kinds: string[] | null }>(within, statement, [
    source,
    known.map(({ trigger }) => trigger),
    known.map(({ eventKey }) => eventKey),
    known.map(({ t }) => t),
    jsonArray(known.map(({ variables }) => JSON.stringify(variables))),
  ]);
  if (!found?.kinds) return;
  await context.queue.enqueue("event.trigger", { kinds: found.kinds }, { within });
}

/** What an event tells by the names that its trigger declares; what is not of its type is not told. */
export function variablesOf({ variables }: Trigger, payload: Values): Values {
  const told = variables.filter((variable) => isTold(variable, payload[variable.name]));
  return Object.fromEntries(told.map(({ name }) => [name, payload[name]]));
}

function isTold({ name, type, values, list = false }: Variable, value: unknown): boolean {
  if (value === undefined || value === null || Array.isArray(value) !== list) return false;
  const param = { name, type, values, required: false };
  return [value].flat().every((one: unknown) => problemOf(param, one) === undefined);
}
