import type { Sql } from "../../db/sql.ts";
import type { FedEvent } from "./fed-event.ts";
import { stateOf } from "./keyed-states.ts";

/** The states of which there is one. */
export type SingleState = "economy" | "ruleset" | "presence";

/** Replaces a single state by each event in turn. @returns those that changed nothing */
export async function applySingleState(
  name: SingleState,
  events: readonly FedEvent[],
  sql: Sql,
): Promise<FedEvent[]> {
  const unchanged: FedEvent[] = [];
  for (const event of events) {
    const { payload, frame } = event;
    const t = (payload["t"] as number | null | undefined) ?? frame.t;
    if (!(await writeFact(name, stateOf(payload), t, sql))) unchanged.push(event);
  }
  return unchanged;
}

/** @returns whether the fact is another than it was */
export async function writeFact(
  name: SingleState,
  value: object,
  t: number,
  sql: Sql,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `insert into shard_facts as held (name, value, t) values ($1, $2, $3)
     on conflict (name) do update
       set value = excluded.value, t = excluded.t, updated_at = clock_timestamp()
       where held.value is distinct from excluded.value`,
    [name, JSON.stringify(value), t],
  );
  return rowCount === 1;
}
