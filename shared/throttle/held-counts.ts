import type { Sequelize } from "sequelize";

import { countChanged, type Database, firstRow } from "../db/rows.ts";

/** A row of counts and its limit. */
export interface Cap {
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

/** Room that one try takes under a cap until it is known what it was. */
export interface Held {
  readonly key: string;
  /** End of the window it belongs to: in the next one it is no longer counted. */
  readonly endsAt: number;
}

/** One moment for the whole statement, by the database's clock, in milliseconds. */
const now = "(extract(epoch from statement_timestamp()) * 1000)::bigint";

/** A window begins with the first of what it counts. */
const isOver = `(counted.expire <= ${now} or counted.points + counted.held <= 0)`;

/**
 * Takes room for a try that may fail. One statement decides: of any number at once, in however many
 * processes, no more are let in than may fail. Room of a process that died is lost until the window
 * ends, as if the try had failed.
 * @returns null when there is none
 */
export async function hold(
  { key, max, windowMs }: Cap,
  sequelize: Sequelize,
): Promise<Held | null> {
  const row = await firstRow<Pick<Held, "endsAt">>(
    sequelize,
    `insert into rate_limits as counted (key, points, expire, held)
     values ($1, 0, ${now} + $3, 1)
     on conflict (key) do update set
       points = case when ${isOver} then 0 else counted.points end,
       held = case when ${isOver} then 1 else counted.held + 1 end,
       expire = case when ${isOver} then excluded.expire else counted.expire end
     where ${isOver} or counted.points + counted.held < $2
     returning expire as "endsAt"`,
    [key, max, windowMs],
  );
  return row ? { key, endsAt: row.endsAt } : null;
}

/** Turns the held try into a failure. @returns the failures so far; null when its window is over */
export async function fail({ key, endsAt }: Held, sequelize: Sequelize): Promise<number | null> {
  const row = await firstRow<{ points: number }>(
    sequelize,
    `update rate_limits set points = points + 1, held = held - 1
     where key = $1 and expire = $2 and held > 0 returning points`,
    [key, endsAt],
  );
  return row?.points ?? null;
}

/** Gives the room back. */
export async function release({ key, endsAt }: Held, sequelize: Sequelize): Promise<void> {
  await countChanged(
    sequelize,
    "update rate_limits set held = held - 1 where key = $1 and expire = $2 and held > 0",
    [key, endsAt],
  );
}

/** Gives the room back and forgets all failures; tries that are still held may fail yet. */
export async function forgive({ key, endsAt }: Held, sequelize: Sequelize): Promise<void> {
  await countChanged(
    sequelize,
    `update rate_limits set points = 0,
       held = case when expire = $2 then greatest(held - 1, 0) else held end
     where key = $1`,
    [key, endsAt],
  );
}

/** Counts a use, unless none is left: a refused one takes nothing from those that follow. */
export async function takeUse(
  { key, max, windowMs }: Cap,
  database: Database,
): Promise<Uses | null> {
  const row = await firstRow<Uses>(
    database,
    `insert into rate_limits as counted (key, points, expire) values ($1, 1, ${now} + $3)
     on conflict (key) do update set
       points = case when ${isOver} then 1 else counted.points + 1 end,
       expire = case when ${isOver} then excluded.expire else counted.expire end
     where ${isOver} or counted.points < $2
     returning points as uses, expire - ${now} as "endsInMs"`,
    [key, max, windowMs],
  );
  return row ?? null;
}

/** What a window holds. */
export interface Uses {
  readonly uses: number;
  /** Until the window ends. */
  readonly endsInMs: number;
}

/** Counts a use, however many there were. */
export async function countUse(
  { key, windowMs }: Pick<Cap, "key" | "windowMs">,
  database: Database,
): Promise<Uses> {
  const row = await firstRow<Uses>(
    database,
    `insert into rate_limits as counted (key, points, expire) values ($1, 1, ${now} + $2)
     on conflict (key) do update set
       points = case when ${isOver} then 1 else counted.points + 1 end,
       held = case when ${isOver} then 0 else counted.held end,
       expire = case when ${isOver} then excluded.expire else counted.expire end
     returning points as uses, expire - ${now} as "endsInMs"`,
    [key, windowMs],
  );
  return row as Uses;
}

/** What is counted of a window that has not ended. */
export async function readUses(key: string, database: Database): Promise<Uses> {
  const row = await firstRow<Uses>(
    database,
    `select points as uses, expire - ${now} as "endsInMs" from rate_limits
     where key = $1 and expire > ${now}`,
    [key],
  );
  return row ?? { uses: 0, endsInMs: 0 };
}

/** Forgets what was counted, and who is held: tries that are under way fail in a window of their own. */
export async function forget(key: string, sequelize: Sequelize): Promise<void> {
  await countChanged(sequelize, "delete from rate_limits where key = $1", [key]);
}

/** Takes a use back, if any is counted: nobody gains one by it. */
export async function returnUse(key: string, sequelize: Sequelize): Promise<void> {
  await countChanged(
    sequelize,
    "update rate_limits set points = points - 1 where key = $1 and points > 0",
    [key],
  );
}
