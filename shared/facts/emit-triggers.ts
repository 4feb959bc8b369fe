import type { Transaction } from "sequelize";

import type { TriggerEvent } from "../../models/events/trigger-event.ts";
import type { Context } from "../platform/context.ts";
import { firstRow } from "../platform/db/rows.ts";
import { jsonArraySql } from "../platform/db/sql-text.ts";
import type { SqlClient } from "../platform/db/sql.ts";
import { findValueProblem, type ParamValues } from "./param.ts";
import type { EventTrigger, TriggerVariable } from "./trigger.ts";
import { findTrigger } from "./triggers.ts";

/** An event for which a phase of a run can wait. It contains public data only. */
export interface TriggerOccurrence extends Pick<TriggerEvent, "trigger" | "eventKey" | "t"> {
  /** The values of the event. Only the variables that its trigger declares are stored. */
  readonly variables: Readonly<Record<string, unknown>>;
}

interface EmitContext {
  /** The name of the source: `shard`, or the name of a survival server. */
  readonly source: string;
  /** The transaction of the change that causes the events. A rollback also removes the events. */
  readonly within: SqlClient | Transaction;
  readonly context: Pick<Context, "queue">;
}

/**
 * Returns CTEs that insert the rows of a CTE `told` (place, trigger, event_key, t, variables) into `event_news`.
 * They lock the source's row until the transaction ends, so numbers are in commit order and a run needs to store
 * only the last number that it read.
 * @param source an SQL expression
 */
export const insertTriggerEventsSql = (source: string): string => `
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

/** Returns an SQL condition that is true if a run waits for one of the triggers. @param triggers an SQL expression */
export const hasListeningRunSql = (triggers: string): string =>
  `exists (select from event_runs where listens_for = any(${triggers}))`;

const statement = {
  name: "insert news",
  text: `
  with told as (
    select * from unnest($2::text[], $3::text[], $4::bigint[], $5::jsonb[]) with ordinality
      as given (trigger, event_key, t, variables, place)
  ), ${insertTriggerEventsSql("$1")}
  select array_agg(distinct trigger) as kinds from told
  where exists (select from event_runs run where run.listens_for = told.trigger)`,
};

/** Stores events for which phases may wait. Call it last in a transaction, because it locks the source. */
export async function emitTriggers(
  happened: readonly TriggerOccurrence[],
  { source, within, context }: EmitContext,
): Promise<void> {
  const known = happened.flatMap(({ variables, ...one }) => {
    const trigger = findTrigger(one.trigger);
    return trigger ? [{ ...one, variables: pickVariables(trigger, variables) }] : [];
  });
  if (known.length === 0) return;
  const found = await firstRow<{ kinds: string[] | null }>(within, statement, [
    source,
    known.map(({ trigger }) => trigger),
    known.map(({ eventKey }) => eventKey),
    known.map(({ t }) => t),
    jsonArraySql(known.map(({ variables }) => JSON.stringify(variables))),
  ]);
  if (!found?.kinds) return;
  await context.queue.enqueue("event.trigger", { kinds: found.kinds }, { within });
}

/** Returns the variables that the trigger declares. Omits values of a wrong type. */
export function pickVariables({ variables }: EventTrigger, payload: ParamValues): ParamValues {
  const told = variables.filter((variable) => isValidVariable(variable, payload[variable.name]));
  return Object.fromEntries(told.map(({ name }) => [name, payload[name]]));
}

function isValidVariable(
  { name, type, values, list = false }: TriggerVariable,
  value: unknown,
): boolean {
  if (value === undefined || value === null || Array.isArray(value) !== list) return false;
  const param = { name, type, values, required: false };
  return [value].flat().every((one: unknown) => findValueProblem(param, one) === undefined);
}
