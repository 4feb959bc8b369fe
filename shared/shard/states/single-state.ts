import { firstRow } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { StateHandler } from "./handler.ts";
import { type StateEventReach, hideStateEvent, type StateEvent } from "./state-event.ts";
import { pickStateFields } from "./state-event.ts";

/** Creates the handler of a state that is a single value; each event replaces it. */
export const createSingleStateHandler = (name: string): StateHandler => ({
  apply: (events, connection) => replaceFact(name, events, connection),
  clear: [`delete from shard_facts where name = '${name}'`],
});

/** @returns the events that changed nothing, so no stream carries them */
async function replaceFact(
  name: string,
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateEventReach[]> {
  const reached: StateEventReach[] = [];
  for (const event of events) {
    const { payload, frame } = event;
    const t = (payload["t"] as number | null | undefined) ?? frame.t;
    const isNew = await writeShardValue({ name, value: pickStateFields(payload), t }, connection);
    if (!isNew) reached.push(hideStateEvent(event));
  }
  return reached;
}

/** An unchanged value still updates its event time. */
const statement = {
  name: "write fact",
  text: `
  with held as (select value from shard_facts where name = $1), written as (
    insert into shard_facts as fact (name, value, t) values ($1, $2, $3)
    on conflict (name) do update set value = excluded.value, t = excluded.t,
      updated_at = case when fact.value is distinct from excluded.value
        then clock_timestamp() else fact.updated_at end
    where (fact.value, fact.t) is distinct from (excluded.value, excluded.t))
  select not exists (select from held where value = $2) as "isNew"`,
};

interface Fact {
  readonly name: string;
  readonly value: object;
  readonly t: number;
}

/** @returns true if the value changed */
export async function writeShardValue(
  { name, value, t }: Fact,
  connection: SqlClient,
): Promise<boolean> {
  const values = [name, JSON.stringify(value), t];
  const written = await firstRow<{ isNew: boolean }>(connection, statement, values);
  return written?.isNew ?? false;
}
