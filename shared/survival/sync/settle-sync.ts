import type { Transaction, Sequelize } from "sequelize";

import type { SurvivalSync } from "../../../models/survival/survival-sync.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { computeDoubledMs } from "../../platform/time/backoff.ts";
import { ingestSourceNameSql, lockServerShared } from "../server-locks.ts";
import type { SyncName } from "./sync-kind.ts";

export interface RunningSync {
  readonly serverId: number;
  readonly name: SyncName;
  readonly ref: string;
}

export type SyncResult =
  | { readonly state: "clean" }
  | {
      readonly state: "failed" | "offline" | "unsupported";
      readonly problem: string;
      readonly ledger?: "failed" | "lost";
    };

interface EndedRow extends Pick<SurvivalSync, "tries"> {
  readonly isAskedAgain: boolean;
  /**
   * True if the game is connected. If not, its next hello requests the sync again, so `offline` needs no retry.
   */
  readonly isConnected: boolean;
}

/** Ends a sync and schedules a retry. @returns false if another sync has replaced it */
export async function settleSync(
  push: RunningSync,
  end: SyncResult,
  queue: Queue,
  within: Transaction | SqlClient,
): Promise<boolean> {
  const { serverId, name, ref } = push;
  const problem = end.state === "clean" ? null : end.problem;
  const ended = await firstRow<EndedRow>(within, endPush, [
    serverId,
    name,
    ref,
    end.state,
    problem,
  ]);
  if (!ended) return false;
  const ledger = end.state === "clean" ? "confirmed" : (end.ledger ?? "failed");
  await executeStatement(within, settleLedger, [serverId, ref, ledger, problem]);
  const isRetried = end.state === "failed" || (end.state === "offline" && ended.isConnected);
  if (ended.isAskedAgain) await scheduleSync(push, 0, queue, within);
  else if (isRetried) await retryLater(push, retryMsAfter(ended.tries), queue, within);
  return true;
}

async function retryLater(
  push: RunningSync,
  ms: number,
  queue: Queue,
  within: Transaction | SqlClient,
): Promise<void> {
  await executeStatement(within, postponeSql, [push.serverId, push.name, ms]);
  await scheduleSync(push, ms, queue, within);
}

/** Returns a delay that doubles from ten seconds up to ten minutes. */
const retryMsAfter = (tries: number): number =>
  computeDoubledMs(10_000, 600_000, Math.min(Math.max(tries - 1, 0), 20));

/** Schedules a retry as a separate job, because the job for the next change has a shorter delay. */
export const scheduleSync = (
  { serverId, name }: Pick<RunningSync, "serverId" | "name">,
  ms: number,
  queue: Queue,
  within?: Transaction | SqlClient,
): Promise<string | null> =>
  queue.enqueue(
    "survival.push",
    { serverId, name },
    {
      key: `${name}:${serverId}:again`,
      subject: String(serverId),
      afterMs: ms,
      ...(within && { within }),
    },
  );

/** Changes that were requested during the sync are sent at once, even if the sync failed. */
const endPush = `
  update survival_pushes set
    state = case when asked > covers then 'waiting' else $4 end,
    pushed = case when $4 = 'clean' then covers else pushed end,
    tries = case when $4 = 'clean' then 0 else tries end,
    last_ok_at = case when $4 = 'clean' then clock_timestamp() else last_ok_at end,
    error = $5, busy_until = null, retry_at = null, ref = null
  where server_id = $1 and name = $2 and ref = $3 and state = 'pushing'
  returning asked > covers as "isAskedAgain", tries, exists (
    select from ingest_sources
    where source = ${ingestSourceNameSql("server_id")} and ingest_sources.state = 'connected'
      and plugin_connected) as "isConnected"`;

const settleLedger = `
  update survival_ledger set state = $3, reason = $4,
    confirmed_at = case when $3 = 'confirmed' then clock_timestamp() end,
    ended_at = case when $3 <> 'confirmed' then clock_timestamp() end
  where server_id = $1 and ref = $2 and state = 'pushed'`;

const postponeSql = `
  update survival_pushes
  set retry_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
  where server_id = $1 and name = $2`;

/** Locks a sync under way. @returns false if another sync has replaced it */
export async function lockRunningSync(
  { serverId, ref }: Pick<RunningSync, "serverId" | "ref">,
  transaction: Transaction,
): Promise<boolean> {
  const held = await modelsOf(transaction).SurvivalPush.findOne({
    where: { serverId, ref, state: "pushing" },
    attributes: ["serverId"],
    lock: transaction.LOCK.NO_KEY_UPDATE,
    transaction,
  });
  return held !== null;
}

/** Thrown to roll back the records of a sync that another one has replaced. */
class SyncReplaced extends Error {
  override readonly name = "PushOvertaken";
}

/** @throws {SyncReplaced} */
function requireRunning(isUnderWay: boolean): void {
  if (!isUnderWay) throw new SyncReplaced();
}

/**
 * Records the result of a sync. To avoid deadlocks, `work` locks the subject of the sync before the sync itself,
 * as all writers do.
 * @param work after locking the sync, calls `say` with true if the sync is under way
 * @returns false without recording if the sync was replaced or the server deleted
 */
export async function recordSyncResult(
  serverId: number,
  sequelize: Sequelize,
  work: (transaction: Transaction, say: typeof requireRunning) => Promise<void>,
): Promise<boolean> {
  try {
    await inCallersTransaction(sequelize, async (transaction) => {
      requireRunning((await lockServerShared(serverId, transaction)) !== null);
      await work(transaction, requireRunning);
    });
    return true;
  } catch (error) {
    if (error instanceof SyncReplaced) return false;
    throw error;
  }
}
