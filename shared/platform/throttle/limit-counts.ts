import { countChanged, type Database, rows } from "../db/rows.ts";

/** A row of counts, with the limit that applies to it. */
export interface CountCap {
  readonly key: string;
  /** Null if there is no limit. */
  readonly max: number | null;
  readonly windowMs: number;
}

/**
 * The way in which a request is counted. `use` adds one use. `try` reserves a use until the outcome is
 * known. `look` counts nothing, but a full cap refuses it.
 */
export type CountMode = "use" | "try" | "look";

export interface CapCountRequest extends CountCap {
  readonly takes: CountMode;
}

/** The count of one window. */
export interface WindowCount {
  readonly uses: number;
  /** Milliseconds until the window ends. */
  readonly endsInMs: number;
}

/** A row of counts, as the statement left it. */
export interface CapCount extends WindowCount {
  readonly key: string;
  /** End of the window. Reservations of an earlier window no longer count. */
  readonly endsAt: number;
}

/** The rows of the caps. If nothing was counted: the full caps, and the milliseconds of a block or 0. */
export type CountResult =
  | { readonly counts: ReadonlyMap<string, CapCount> }
  | { readonly full: readonly CapCount[]; readonly blockedMs: number };

/** The time when the statement started, by the database's clock, in milliseconds. */
const nowMsSql = "(extract(epoch from statement_timestamp()) * 1000)::bigint";

/** A window begins with the first request that is counted in it. */
const isWindowOverSql = `(counted.expire <= ${nowMsSql} or counted.points + counted.held <= 0)`;

/**
 * Counts a request under several caps. If one cap is full or the address is blocked from signing in, it
 * counts under none and creates no row. A single statement does this, so concurrent requests of all
 * processes cannot exceed a cap. It locks rows in the order of their keys. A reservation of a process
 * that died is lost until the window ends, as if the attempt had failed.
 * @param address whose block refuses the request; null to ignore blocks
 */
export async function countRequest(
  capRequests: readonly CapCountRequest[],
  address: string | null,
  database: Database,
): Promise<CountResult> {
  const found = await rows<CountRow>(database, takeStatement, [
    capRequests.map(({ key }) => key),
    capRequests.map(({ max }) => max),
    capRequests.map(({ windowMs }) => windowMs),
    capRequests.map(({ takes }) => Number(takes === "use")),
    capRequests.map(({ takes }) => Number(takes === "try")),
    address,
  ]);
  const inState = (state: CountRow["state"]) => found.filter((row) => row.state === state);
  const [full, [block]] = [inState("full"), inState("blocked")];
  if (block || full.length > 0) return { full, blockedMs: block?.endsInMs ?? 0 };
  const taken = inState("taken");
  const takenKeys = new Set(taken.map(({ key }) => key));
  const lostCaps = capRequests.filter(({ key, takes }) => takes !== "look" && !takenKeys.has(key));
  if (lostCaps.length === 0) {
    return { counts: new Map([...inState("seen"), ...taken].map((count) => [count.key, count])) };
  }
  // Since the check, a concurrent request has taken the last use of a cap.
  await returnTaken(capRequests, taken, database);
  return { full: await readCounts(lostCaps, database), blockedMs: 0 };
}

interface CountRow extends CapCount {
  /** `taken`: the row after counting. `seen`, `full`: the row before it. `blocked`: the block. */
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
    where known.expire > ${nowMsSql}),
  taken as (
    insert into rate_limits as counted (key, points, held, expire)
    select key, uses, tries, ${nowMsSql} + window_ms from given
    where uses + tries > 0
      and not exists (select from block) and not exists (select from seen where is_full)
    order by key
    on conflict (key) do update set
      points = case when ${isWindowOverSql} then 0 else counted.points end + excluded.points,
      held = case when ${isWindowOverSql} then 0 else counted.held end + excluded.held,
      expire = case when ${isWindowOverSql} then excluded.expire else counted.expire end
    where ${isWindowOverSql} or coalesce(counted.points + counted.held
      < (select max from given where given.key = excluded.key), true)
    returning key, points, expire)
  select key, points as uses, expire - ${nowMsSql} as "endsInMs", expire as "endsAt", 'taken' as state
  from taken
  union all
  select key, points, expire - ${nowMsSql}, expire, case when is_full then 'full' else 'seen' end
  from seen
  union all
  select $6::text, 0,
    greatest(1, ceil(extract(epoch from until - clock_timestamp()) * 1000))::bigint, 0, 'blocked'
  from block`,
};

async function returnTaken(
  capRequests: readonly CapCountRequest[],
  taken: readonly CapCount[],
  database: Database,
): Promise<void> {
  const uses = new Set(capRequests.filter(({ takes }) => takes === "use").map(({ key }) => key));
  const usedKeys = taken.filter(({ key }) => uses.has(key)).map(({ key }) => key);
  const attempts = taken.filter(({ key }) => !uses.has(key));
  if (usedKeys.length > 0) await decrementUses(usedKeys, database);
  await settleAttempts(
    attempts.map((held) => ({ ...held, outcome: "released" })),
    database,
  );
}

async function readCounts(caps: readonly CountCap[], database: Database): Promise<CapCount[]> {
  const looks = caps.map((cap) => ({ ...cap, max: null, takes: "look" }) as const);
  const read = await countRequest(looks, null, database);
  const counts = "counts" in read ? read.counts : new Map<string, CapCount>();
  return caps.map(({ key }) => counts.get(key) ?? { key, uses: 0, endsInMs: 0, endsAt: 0 });
}

/**
 * The outcome of an attempt: `released` gives its reservation back, `failed` counts a failure, and
 * `forgiven` also resets all failures. Attempts still in progress may fail later.
 */
export type CapOutcome = "released" | "failed" | "forgiven";

/** An attempt under one cap, with its outcome. */
export interface SettledAttempt extends Pick<CapCount, "key" | "endsAt"> {
  readonly outcome: CapOutcome;
}

/** Ends attempts, locking rows in key order. @returns failures by key, without ended windows */
export async function settleAttempts(
  settled: readonly SettledAttempt[],
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

/** Deletes the counts and reservations. Attempts in progress that fail then count in a new window. */
export async function deleteCounts(keys: readonly string[], database: Database): Promise<void> {
  await countChanged(
    database,
    `delete from rate_limits where key in (
       select key from rate_limits where key = any ($1::text[]) order by key for update)`,
    [keys],
  );
}

/** Takes back one use of each key that has one. */
export async function decrementUses(keys: readonly string[], database: Database): Promise<void> {
  await countChanged(
    database,
    `with locked as (
       select key from rate_limits where key = any($1::text[]) order by key for update)
     update rate_limits set points = points - 1 from locked
     where rate_limits.key = locked.key and points > 0`,
    [keys],
  );
}
