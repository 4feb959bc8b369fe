import { Op, type Sequelize } from "sequelize";

import type { ShardEvent } from "../../../models/shard/shard-event.ts";
import type { Context } from "../../platform/context.ts";
import { queryPrepared } from "../../platform/db/connection/prepared.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import type { ShardContext } from "../context.ts";

export interface StoredEvent extends Readonly<
  Pick<ShardEvent, "id" | "kind" | "t" | "bootId" | "reach" | "createdAt">
> {
  /** The payload as JSON; empty if no stream carries the event, because then only its id is used. */
  readonly payload: string;
}

/** A stored event that a stream carries. */
export interface StreamEvent extends StoredEvent {
  readonly reach: Exclude<ShardEvent["reach"], "none">;
}

const columns = `id, kind, t, boot_id as "bootId", payload::text as payload, reach,
  created_at as "createdAt"`;

const selectEventsAfter = {
  name: "following-events",
  text: `select id, kind, t, boot_id as "bootId", reach, created_at as "createdAt",
      case when reach = 'none' then '' else payload::text end as payload
    from shard_events where id > $1 order by id limit $2`,
};

/** Returns the next events after an id, whatever their reach. */
export const readEventsAfter = (afterId: number, limit: number, context: ShardContext) =>
  queryPrepared<StoredEvent>(selectEventsAfter, [afterId, limit], context);

/** Returns the id before the newest `count` streamed events. */
export async function findReplayStart(sequelize: Sequelize, count: number): Promise<number> {
  const row = await firstRow<{ start: number }>(
    sequelize,
    `select coalesce(min(id) - 1, 0) as start from (
       select id from shard_events where reach <> 'none' order by id desc limit $1) newest`,
    [count],
  );
  return row?.start ?? 0;
}

/** A filter of streamed events between two ids. */
export interface EventRange {
  readonly afterId: number;
  readonly untilId: number;
  readonly reaches: readonly StreamEvent["reach"][];
  /** The kinds to read; null for all. */
  readonly kinds: readonly string[] | null;
}

export interface PageSize {
  readonly rows: number;
  /** The maximum total size of payloads. The first row of a page is returned even if it is larger. */
  readonly bytes: number;
}

const rangeSql = "id > $1 and id <= $2 and reach = any($3)";

/** Selects each kind separately, so that the index skips rows of other kinds. */
const selectRangeByKindSql = `
  select found.id from unnest($6::text[]) as wanted (kind) cross join lateral (
    select id from shard_events where kind = wanted.kind and ${rangeSql} order by id limit $4) found
  order by found.id limit $4`;
const selectRangeSql = `select id from shard_events where ${rangeSql} order by id limit $4`;

/** Reads one page of streamed events between two ids, oldest first. */
export function readEventsBetween(
  sequelize: Sequelize,
  { afterId, untilId, reaches, kinds }: EventRange,
  page: PageSize,
): Promise<StreamEvent[]> {
  const wanted = [afterId, untilId, reaches, page.rows, page.bytes];
  return rows<StreamEvent>(
    sequelize,
    `with chosen as (${kinds ? selectRangeByKindSql : selectRangeSql}),
     sized as (
       select shard_events.*, octet_length(payload::text) as bytes,
         sum(octet_length(payload::text)) over (order by id) as running
       from shard_events join chosen using (id))
     select ${columns} from sized where running - bytes < $5 order by id`,
    kinds ? [...wanted, kinds] : wanted,
  );
}

/** Returns true if a stream may have sent an event with this id. */
export async function wasStreamed(
  id: number,
  { models }: Pick<Context, "models">,
): Promise<boolean> {
  return (await models.ShardEvent.count({ where: { id, reach: { [Op.ne]: "none" } } })) > 0;
}
