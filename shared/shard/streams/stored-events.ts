import { Op, type Sequelize } from "sequelize";

import type { ShardEvent } from "../../../models/shard/shard-event.ts";
import type { Context } from "../../platform/context.ts";
import { queryPrepared } from "../../platform/db/connection/prepared.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import type { ShardContext } from "../context.ts";
import {
  selectEventsAfterSql,
  selectEventsSql,
  selectReplayStartSql,
} from "./stored-events.sql.ts";

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

/** Returns the next events after an id, also those that no stream carries. */
export const readEventsAfter = (afterId: number, limit: number, context: ShardContext) =>
  queryPrepared<StoredEvent>(selectEventsAfterSql, [afterId, limit], context);

/** Returns the id after which the newest `count` streamed events begin. */
export async function findReplayStart(sequelize: Sequelize, count: number): Promise<number> {
  const row = await firstRow<{ start: number }>(sequelize, selectReplayStartSql, [count]);
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

/** Reads one page of streamed events between two ids, oldest first. */
export function readEventsBetween(
  sequelize: Sequelize,
  { afterId, untilId, reaches, kinds }: EventRange,
  page: PageSize,
): Promise<StreamEvent[]> {
  const wanted = [afterId, untilId, reaches, page.rows, page.bytes];
  return rows<StreamEvent>(
    sequelize,
    selectEventsSql(kinds !== null),
    kinds ? [...wanted, kinds] : wanted,
  );
}

/** Returns true if a stream may have sent an event with this id. */
export async function wasEventStreamed(
  id: number,
  { models }: Pick<Context, "models">,
): Promise<boolean> {
  return (await models.ShardEvent.count({ where: { id, reach: { [Op.ne]: "none" } } })) > 0;
}
