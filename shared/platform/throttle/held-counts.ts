import { countChanged, type Database, rows } from "../db/rows.ts";

/** A row of counts and its limit. */
export interface Cap {
  readonly key: string;
  /** Null where any number is let in. */
  readonly max: number | null;
  readonly windowMs: number;
}

/**
 * How a request is counted under a cap. `use`: as one more use. `try`: it takes room until its outcome is
 * known. `look`: not at all, but a full cap refuses it.
 */
export type Taking = "use" | "try" | "look";

/** A cap, and how a request is counted under it. */
export interface Asked extends Cap {
  readonly takes: Taking;
}

/** The count of one window. */
export interface Uses {
  readonly uses: number;
  /** Until the window ends. */
  readonly endsInMs: number;
}

/** A row of counts as a statement left it. */
export interface Count extends Uses {
  readonly key: string;
  /** End of the window: in the next one the room of a try is no longer counted. */
  readonly endsAt: number;
}

/** The rows of the caps. If nothing was counted: the full caps, and the rest of the block or 0. */
export type Taken =
  | { readonly counts: ReadonlyMap<string, Count> }
  | { readonly full: readonly Count[]; readonly blockedMs: number };

/** One moment for the whole statement, by the database's clock, in milliseconds. */
const now = "(extract(epoch from statement_timestamp()) * 1000)::bigint";

/** A window begins with the first of what it counts. */
const isOver = `(counted.expire <= ${now} or counted.points + counted.held <= 0)`;

/**
 * Counts a request under each of several caps, unless one of them is full or the address is blocked from
 * signing in: then under none, and no row is made. One statement decides: of any number at once, in
 * however many processes, no more are let in than the caps say. It locks rows in the order of their keys.
 * Room of a process that died is lost until the window ends, as if the try had failed.
 * @param address whose block refuses the request; null where a block does not matter
 */
export async function take(
  asked: readonly Asked[],
  address: string | null,
  database: Database,
): Promise<Taken> {
  const found = await rows<Found>(database, takeStatement, [
    asked.map(({ key }) => key),
    asked.map(({ max }) => max),
    asked.map(({ windowMs }) => windowMs),
    asked.map(({ takes }) => Number(takes === "use")),
    asked.map(({ takes }) => Number(takes === "try")),
    address,
  ]);
  const inState = (state: Found["state"]) => found.filter((row) => row.state === state);
  const [full, [block]] = [inState("full"), inState("blocked")];
  if (block || full.length > 0) return { full, blockedMs: block?.endsInMs ?? 0 };
  const taken = inState("taken");
  const takenKeys = new Set(taken.map(({ key }) => key));
  const lost = asked.filter(({ key, takes }) => takes !== "look" && !takenKeys.has(key));
  if (lost.length === 0) {
    return { counts: new Map([...inState("seen"), ...taken].map((count) => [count.key, count])) };
  }
  // Others took the last room of a cap after it was looked at.
  await giveBack(asked, taken, database);
  return { full: await readCounts(lost, database), blockedMs: 0 };
}

interface Found extends Count {
  /** `taken`: as it was counted; `seen`, `full`: as it was before; `blocked`: the block of the address. */
  readonly state: "taken" | "seen" | "full" | "blocked";
}

const takeStatement = {
  name: "count_request",
  text: `
  with given as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::integer[], $5::integer[])
      as given (key, max, window_ms, uses, tries)),
  block as materialized (
    select login_blocked_until as until from ip_reputation
    where address_key = $6::text and login_blocked_until > clock_timestamp()),
  seen as materialized (
    select known.key, known.points, known.expire,
      coalesce(known.points + known.held * given.tries >= given.max, false) as is_full
    from rate_limits as known join given using (key)
    where known.expire > ${now}),
  taken as (
    insert into rate_limits as counted (key, points, held, expire)
    select key, uses, tries, ${now} + window_ms from given
    where uses + tries > 0
      and not exists (select from block) and not exists (select from seen where is_full)
    order by key
    on conflict (key) do update set
      points = case when ${isOver} then 0 else counted.points end + excluded.points,
      held = case when ${isOver} then 0 else counted.held end + excluded.held,
      expire = case when ${isOver} then excluded.expire else counted.expire end
    where ${isOver} or coalesce(counted.points + counted.held
      < (select max from given where given.key = excluded.key), true)
    returning key, points, expire)
  select key, points as uses, expire - ${now} as "endsInMs", expire as "endsAt", 'taken' as state
  from taken
  union all
  select key, points, expire - ${now}, expire, case when is_full then 'full' else 'seen' end
  from seen
  union all
  select $6::text, 0,
    greatest(1, ceil(extract(epoch from until - clock_timestamp()) * 1000))::bigint, 0, 'blocked'
  from block`,
};

async function giveBack(
  asked: readonly Asked[],
  taken: readonly Count[],
  database: Database,
): Promise<void> {
  const uses = new Set(asked.filter(({ takes }) => takes === "use").map(({ key }) => key));
  const usedKeys = taken.filter(({ key }) => uses.has(key)).map(({ key }) => key);
  const tries = taken.filter(({ key }) => !uses.has(key));
  if (usedKeys.length > 0) await returnUses(usedKeys, database);
  await settle(
    tries.map((held) => ({ ...held, outcome: "released" })),
    database,
  );
}

async function readCounts(caps: readonly Cap[], database: Database): Promise<Count[]> {
  const looks = caps.map((cap) => ({ ...cap, max: null, takes: "look" }) as const);
  const read = await take(looks, null, database);
  const counts = "counts" in read ? read.counts : new Map<string, Count>();
  return caps.map(({ key }) => counts.get(key) ?? { key, uses: 0, endsInMs: 0, endsAt: 0 });
}

/**
 * The end of a try. `released`: its room is given back. `failed`: it is counted as a failure. `forgiven`:
 * its room is given back and all failures are forgotten; tries that are still held may fail yet.
 */
export type Outcome = "released" | "failed" | "forgiven";

/** The room of a try under one cap, and the end of the try there. */
export interface Settled extends Pick<Count, "key" | "endsAt"> {
  readonly outcome: Outcome;
}

/**
 * Ends a try under all of its caps. The rows are locked in the order of their keys.
 * @returns the failures so far by key; none of a window that is over
 */
export async function settle(
  settled: readonly Settled[],
  database: Database,
): Promise<ReadonlyMap<string, number>> {
  if (settled.length === 0) return new Map();
  const changed = await rows<{ key: string; points: number }>(database, settleSql, [
    settled.map(({ key }) => key),
    settled.map(({ endsAt }) => endsAt),
    settled.map(({ outcome }) => outcome),
  ]);
  return new Map(changed.map(({ key, points }) => [key, points]));
}

const settleSql = `
  with given as (
    select * from unnest($1::text[], $2::bigint[], $3::text[]) as given (key, ends_at, outcome)),
  locked as (
    select key from rate_limits where key = any ($1::text[]) order by key for update)
  update rate_limits as counted set
    points = case outcome when 'failed' then points + 1 when 'forgiven' then 0 else points end,
    held = case when expire = ends_at then greatest(held - 1, 0) else held end
  from given join locked using (key)
  where counted.key = given.key
    and (outcome = 'forgiven' or (counted.expire = ends_at and counted.held > 0))
  returning counted.key, counted.points`;

/** Forgets what was counted, and who is held: tries that are under way fail in a window of their own. */
export async function forget(keys: readonly string[], database: Database): Promise<void> {
  await countChanged(
    database,
    `delete from rate_limits where key in (
       select key from rate_limits where key = any ($1::text[]) order by key for update)`,
    [keys],
  );
}

/** Takes a use of each back, if any is counted: nobody gains one by it. */
export async function returnUses(keys: readonly string[], database: Database): Promise<void> {
  await countChanged(
    database,
    `with locked as (
       select key from rate_limits where key = any($1::text[]) order by key for update)
     update rate_limits set points = points - 1 from locked
     where rate_limits.key = locked.key and points > 0`,
    [keys],
  );
}
