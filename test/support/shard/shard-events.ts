import { QueryTypes } from "sequelize";

import type { EventReach } from "../../../shared/shard/streams/projection.ts";
import { anyTime } from "../clock/any-time.ts";
import { madeUpBoot } from "../http/event-stream.ts";
import type { TestServer } from "../service/server.ts";

export interface EventToStore {
  readonly kind: string;
  readonly payload?: object;
  readonly reach?: EventReach;
  /** The age of the event in milliseconds. By default it is stored now. */
  readonly agoMs?: number;
}

let seq = 0;

const statement = `
  with stored as (
    insert into shard_events (source, epoch, seq, boot_id, kind, t, payload, reach, created_at)
    select 'shard', 'test', seq, '${madeUpBoot}', kind, 1764200000000, payload::jsonb, reach,
      clock_timestamp() - make_interval(secs => ago)
    from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::float8[])
      as event (seq, kind, payload, reach, ago)
    order by seq
    returning id)
  select array_agg(id order by id) as ids, case when $6::boolean
    then pg_notify('shard_events', json_build_object('lastId', max(id))::text) end
  from stored`;

/**
 * Stores events with one statement and notifies the processes, as ingest does.
 * @returns the ids, in order
 */
export async function storeEvents(
  { context }: Pick<TestServer, "context">,
  events: readonly EventToStore[],
  notifies = true,
): Promise<number[]> {
  const [row] = await context.sequelize.query<{ ids: number[] }>(statement, {
    type: QueryTypes.SELECT,
    bind: [
      events.map(() => ++seq),
      events.map(({ kind }) => kind),
      events.map(({ payload = {} }) => JSON.stringify(payload)),
      events.map(({ reach = "public" }) => reach),
      events.map(({ agoMs = 0 }) => agoMs / 1000),
      notifies,
    ],
  });
  return row?.ids ?? [];
}

/** Returns the block in which the stream sends an event of `storeEvents`. */
export const blockOf = (id: number | undefined, kind: string, payload: object) => ({
  id,
  data: { id, kind, t: 1_764_200_000_000, bootId: madeUpBoot, payload, createdAt: anyTime },
});
