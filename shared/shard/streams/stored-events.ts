import { Op, type Sequelize } from "sequelize";

import type { ShardEvent } from "../../../models/shard/shard-event.ts";
import type { Context } from "../../platform/context.ts";
import { queryPrepared } from "../../platform/db/connection/prepared.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import type { ShardContext } from "../context.ts";

/** A stored event as it is read. */
export interface StoredEvent extends Readonly<
  Pick<ShardEvent, "id" | "kind" | "t" | "bootId" | "reach" | "createdAt">
> {
  /** JSON, as it is stored. Empty where no stream carries the event: its id alone matters then. */
  readonly payload: string;
}

/** One that a stream carries. */
export interface StreamEvent extends StoredEvent {
  readonly reach: Exclude<ShardEvent["reach"], "none">;
}

const columns = `id, kind, t, boot_id as "bootId", payload::text as payload, reach,
  created_at as "createdAt"`;

const followingEvents = {
  name: "following-events",
  text: `select id, kind, t, boot_id as "bootId", reach, created_at as "createdAt",
      case when reach = 'none' then '' else payload::text end as payload
    from shard_events where id > $1 order by id limit $2`,
};

/** The next events after an id, whatever their reach. */
export const readEventsAfter = (afterId: number, limit: number, context: ShardContext) =>
  queryPrepared<StoredEvent>(followingEvents, [afterId, limit], context);

/** The id after which the newest `count` streamed events stand. */
export async function findStart(sequelize: Sequelize, count: number): Promise<number> {
  const row = await firstRow<{ start: number }>(
    sequelize,
    `select coalesce(min(id) - 1, 0) as start from (
       select id from shard_events where reach <> 'none' order by id desc limit $1) newest`,
    [count],
  );
  return row?.start ?? 0;
}

/** Which streamed events between two ids are wanted. */
export interface EventRange {
  readonly afterId: number;
  readonly untilId: number;
  readonly reaches: readonly StreamEvent["reach"][];
  /** The kinds that are wanted; null: all of them. */
  readonly kinds: readonly string[] | null;
}

export interface PageSize {
  readonly rows: number;
  /** Of payloads; the first row of a page comes whatever its size. */
  readonly bytes: number;
}

const within = "id > $1 and id <= $2 and reach = any($3)";

/** Kind by kind, so that only rows that are wanted are read, however many lie between them. */
const chosenByKind = `
  select found.id from unnest($6::text[]) as wanted (kind) cross join lateral (
    select id from shard_events where kind = wanted.kind and ${within} order by id limit $4) found
  order by found.id limit $4`;
const chosen = `select id from shard_events where ${within} order by id limit $4`;

/** Streamed events between two ids, oldest first: as many as a page holds. */
export function readEventsBetween(
  sequelize: Sequelize,
  { afterId, untilId, reaches, kinds }: EventRange,
  page: PageSize,
): Promise<StreamEvent[]> {
  const wanted = [afterId, untilId, reaches, page.rows, page.bytes];
  return rows<StreamEvent>(
    sequelize,
    `with chosen as (${kinds ? chosenByKind : chosen}),
     sized as (
       select shard_events.*, octet_length(payload::text) as bytes,
         sum(octet_length(payload::text)) over (order by id) as running
       from shard_events join chosen using (id))
     select ${columns} from sized where running - bytes < $5 order by id`,
    kinds ? [...wanted, kinds] : wanted,
  );
}

/** Whether a stream can have carried this id. */
export async function wasStreamed(
  id: number,
  { models }: Pick<Context, "models">,
): Promise<boolean> {
  return (await models.ShardEvent.count({ where: { id, reach: { [Op.ne]: "none" } } })) > 0;
}
