import type { Sequelize } from "sequelize";

import { countChanged, type Database, firstRow, rows } from "../db/rows.ts";

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

/** What is counted under each cap, or the cap that had no use left. */
export type Taken = { readonly taken: readonly Uses[] } | { readonly full: FullCap };

/** A cap that has no use left, and its window. */
export interface FullCap extends Uses {
  readonly key: string;
}

/**
 * Counts a use under each of several caps, unless one of them has none left: then under none, and no row
 * is made. One statement, which locks rows in the order of their keys.
 * @returns what is counted under each, in the order given
 */
export async function takeUses(caps: readonly Cap[], sequelize: Sequelize): Promise<Taken> {
  const found = await rows<FullCap & { readonly taken: boolean }>(sequelize, takeUsesSql, [
    caps.map(({ key }) => key),
    caps.map(({ max }) => max),
    caps.map(({ windowMs }) => windowMs),
  ]);
  const full = found.filter(({ taken }) => !taken);
  if (full.length > 0) return { full: longestOf(full) };
  const byKey = new Map(found.map((row) => [row.key, row]));
  const taken = caps.flatMap(({ key }) => byKey.get(key) ?? []);
  if (taken.length === caps.length) return { taken };
  // Others took the last use of a cap after it was looked at.
  await returnUses([...byKey.keys()], sequelize);
  const [lost = ""] = caps.filter(({ key }) => !byKey.has(key)).map(({ key }) => key);
  return { full: { key: lost, ...(await readUses(lost, sequelize)) } };
}

const takeUsesSql = `
  with given as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[]) as given (key, max, window_ms)),
  spent as materialized (
    select known.key, known.points, known.expire from rate_limits known join given using (key)
    where known.expire > ${now} and known.points >= given.max),
  taken as (
    insert into rate_limits as counted (key, points, expire)
    select key, 1, ${now} + window_ms from given
    where not exists (select from spent) order by key
    on conflict (key) do update set
      points = case when ${isOver} then 1 else counted.points + 1 end,
      expire = case when ${isOver} then excluded.expire else counted.expire end
    where ${isOver}
      or counted.points < (select max from given where given.key = excluded.key)
    returning key, points, expire)
  select key, points as uses, expire - ${now} as "endsInMs", true as taken from taken
  union all
  select key, points, expire - ${now}, false from spent`;

/** Counts nothing. @returns the longest window of those caps that have no use left; null where none */
export async function readFull(caps: readonly Cap[], database: Database): Promise<FullCap | null> {
  const full = await rows<FullCap>(
    database,
    `select key, points as uses, expire - ${now} as "endsInMs"
     from rate_limits join unnest($1::text[], $2::bigint[]) as given (key, max) using (key)
     where expire > ${now} and points >= given.max`,
    [caps.map(({ key }) => key), caps.map(({ max }) => max)],
  );
  return full.length === 0 ? null : longestOf(full);
}

const longestOf = (full: readonly FullCap[]): FullCap =>
  full.reduce((one, other) => (other.endsInMs > one.endsInMs ? other : one));

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

/** Takes a use of each back, if any is counted: nobody gains one by it. */
export async function returnUses(keys: readonly string[], sequelize: Sequelize): Promise<void> {
  await countChanged(
    sequelize,
    `with locked as (
       select key from rate_limits where key = any($1::text[]) order by key for update)
     update rate_limits set points = points - 1 from locked
     where rate_limits.key = locked.key and points > 0`,
    [keys],
  );
}
