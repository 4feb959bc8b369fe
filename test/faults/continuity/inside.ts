import { setTimeout as sleep } from "node:timers/promises";

import type { RandomSource } from "../../simulator/random.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import type { ChildProgram } from "../../support/service/own-process.ts";
import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";

/** An open transaction, the time since which it is idle, and its process. */
interface IdleTransaction {
  readonly pid: number;
  readonly since: string;
  readonly query: string;
}

/**
 * A transaction that is idle for this long belongs to the paused process, because a running process ends its
 * transactions sooner. Check twice: at the first check, the transaction may belong to a running process.
 */
const aloneFor = "100 ms";
const lookAfterMs = 130;
const lookAgainAfterMs = 400;
const tries = 100;

/** Pauses a process, if possible in the middle of a transaction. @returns its open transactions */
export async function pauseInTransaction(
  process: ChildProgram,
  kind: string,
  { read, random }: { readonly read: DatabaseReader; readonly random: RandomSource },
): Promise<IdleTransaction[]> {
  for (let at = 1; at < tries; at++) {
    const standing = await pauseProcess(process, kind, read);
    if (standing.length > 0) return standing;
    process.resume();
    await sleep(random.int(1, 60));
  }
  return pauseProcess(process, kind, read);
}

/** Pauses a process. @returns its open transactions */
export async function pauseProcess(
  process: ChildProgram,
  kind: string,
  read: DatabaseReader,
): Promise<IdleTransaction[]> {
  process.pause();
  await sleep(lookAfterMs);
  const seen = await findStanding(kind, read);
  if (seen.length === 0) return [];
  await sleep(lookAgainAfterMs);
  return stillStanding(seen, read);
}

/**
 * Waits until the database has ended each of these transactions. Their connections may begin others
 * meanwhile.
 */
export async function waitUntilTransactionsEnd(
  standing: readonly IdleTransaction[],
  { read, history, withinMs }: { read: DatabaseReader; history: History; withinMs: number },
): Promise<void> {
  if (standing.length === 0) return;
  const startedAt = performance.now();
  const isGone = async () => (await stillStanding(standing, read)).length === 0;
  try {
    await waitUntil("the server gives it up", isGone, withinMs);
    history.find("given up", { standing, ms: Math.round(performance.now() - startedAt) });
  } catch {
    history.violate("the server gives up a transaction that stands still", {
      left: await stillStanding(standing, read),
    });
  }
}

const ofKind = `select pid, state_change::text as since,
    left(trim(regexp_replace(query, '\\s+', ' ', 'g')), 80) as query
  from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%'`;

const findStanding = (kind: string, read: DatabaseReader): Promise<IdleTransaction[]> =>
  read(
    `${ofKind} and application_name like $1 and clock_timestamp() - state_change > $2::interval`,
    [`guildhall ${kind}%`, aloneFor],
  );

const stillStanding = (
  standing: readonly IdleTransaction[],
  read: DatabaseReader,
): Promise<IdleTransaction[]> =>
  read(
    `${ofKind} and (pid, state_change) in (select * from unnest($1::integer[], $2::timestamptz[]))`,
    [standing.map(({ pid }) => pid), standing.map(({ since }) => since)],
  );
