import { executeStatement, type Database, rows } from "../db/rows.ts";
import {
  countRequestSql,
  decrementUsesSql,
  deleteCountsSql,
  settleAttemptsSql,
} from "./limit-counts.sql.ts";

/** A row of counts, with the limit that applies to it. */
export interface LimitWindow {
  readonly key: string;
  /** Null if there is no limit. */
  readonly max: number | null;
  readonly windowMs: number;
}

/**
 * The way in which a request is counted. `use` adds one use. `try` reserves a use until the outcome is
 * known. `look` counts nothing, but a full cap refuses it.
 */
export type LimitCountMode = "use" | "try" | "look";

export interface LimitCountRequest extends LimitWindow {
  readonly takes: LimitCountMode;
}

/** The count of one window. */
export interface WindowCount {
  readonly uses: number;
  /** Milliseconds until the window ends. */
  readonly endsInMs: number;
}

/** A row of counts, as the statement left it. */
export interface LimitCount extends WindowCount {
  readonly key: string;
  /** End of the window. Reservations of an earlier window no longer count. */
  readonly endsAt: number;
}

/**
 * The rows of the caps after counting. If nothing was counted: the full caps, and the milliseconds until the
 * block of the address ends (0 without a block).
 */
export type LimitCountResult =
  | { readonly counts: ReadonlyMap<string, LimitCount> }
  | { readonly full: readonly LimitCount[]; readonly blockedMs: number };

/**
 * Counts a request under several caps. If one cap is full or the address is blocked from signing in, the
 * request is counted under no cap and no row is created. A single statement does this, so concurrent
 * requests of all processes cannot exceed a cap. The statement locks rows in the order of their keys. A
 * reservation of a process that died stays until the window ends, as if the attempt had failed.
 * @param address whose block refuses the request; null to ignore blocks
 */
export async function countRequest(
  capRequests: readonly LimitCountRequest[],
  address: string | null,
  database: Database,
): Promise<LimitCountResult> {
  const found = await rows<CountRow>(database, countRequestSql, [
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

interface CountRow extends LimitCount {
  /** `taken`: the row after it was counted. `seen`, `full`: the row before. `blocked`: the address's block. */
  readonly state: "taken" | "seen" | "full" | "blocked";
}

async function returnTaken(
  capRequests: readonly LimitCountRequest[],
  taken: readonly LimitCount[],
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

async function readCounts(caps: readonly LimitWindow[], database: Database): Promise<LimitCount[]> {
  const looks = caps.map((cap) => ({ ...cap, max: null, takes: "look" }) as const);
  const read = await countRequest(looks, null, database);
  const counts = "counts" in read ? read.counts : new Map<string, LimitCount>();
  return caps.map(({ key }) => counts.get(key) ?? { key, uses: 0, endsInMs: 0, endsAt: 0 });
}

/**
 * The outcome of an attempt: `released` gives its reservation back, `failed` counts a failure, and
 * `forgiven` also resets all failures. Attempts still in progress may fail later.
 */
export type LimitAttemptOutcome = "released" | "failed" | "forgiven";

/** An attempt under one cap, with its outcome. */
export interface SettledAttempt extends Pick<LimitCount, "key" | "endsAt"> {
  readonly outcome: LimitAttemptOutcome;
}

/** Stores outcomes of attempts; locks rows in key order. @returns failures by key, for open windows only */
export async function settleAttempts(
  settled: readonly SettledAttempt[],
  database: Database,
): Promise<ReadonlyMap<string, number>> {
  if (settled.length === 0) return new Map();
  const changed = await rows<{ key: string; points: number }>(database, settleAttemptsSql, [
    settled.map(({ key }) => key),
    settled.map(({ endsAt }) => endsAt),
    settled.map(({ outcome }) => outcome),
  ]);
  return new Map(changed.map(({ key, points }) => [key, points]));
}

/**
 * Deletes the counts and reservations. If an attempt in progress fails later, its failure counts in a new window.
 */
export async function deleteCounts(keys: readonly string[], database: Database): Promise<void> {
  await executeStatement(database, deleteCountsSql, [keys]);
}

/** Takes back one use of each key that has one. */
export async function decrementUses(keys: readonly string[], database: Database): Promise<void> {
  await executeStatement(database, decrementUsesSql, [keys]);
}
