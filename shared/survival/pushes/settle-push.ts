import type { Transaction, Sequelize } from "sequelize";

import type { SurvivalPush } from "../../../models/survival/survival-push.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { doubledMs } from "../../platform/time/backoff.ts";
import { sourceNameSql, holdServer } from "../server-rows.ts";
import type { PushName } from "./push-kind.ts";

export interface PushUnderWay {
  readonly serverId: number;
  readonly name: PushName;
  readonly ref: string;
}

export type PushEnd =
  | { readonly state: "clean" }
  | {
      readonly state: "failed" | "offline" | "unsupported";
      readonly problem: string;
      readonly ledger?: "failed" | "lost";
    };

interface Ended extends Pick<SurvivalPush, "tries"> {
  readonly isAskedAgain: boolean;
  /** True if the game is connected. A returning game says hello, which requests the push again. */
  readonly isConnected: boolean;
}

/** Ends a push and schedules a retry. @returns false if another push has replaced it */
export async function settlePush(
  push: PushUnderWay,
  end: PushEnd,
  queue: Queue,
  within: Transaction | Sql,
): Promise<boolean> {
  const { serverId, name, ref } = push;
  const problem = end.state === "clean" ? null : end.problem;
  const ended = await firstRow<Ended>(within, endPush, [serverId, name, ref, end.state, problem]);
  if (!ended) return false;
  const ledger = end.state === "clean" ? "confirmed" : (end.ledger ?? "failed");
  await countChanged(within, settleLedger, [serverId, ref, ledger, problem]);
  const isRetried = end.state === "failed" || (end.state === "offline" && ended.isConnected);
  if (ended.isAskedAgain) await wakeLater(push, 0, queue, within);
  else if (isRetried) await retryLater(push, retryMsAfter(ended.tries), queue, within);
  return true;
}

async function retryLater(
  push: PushUnderWay,
  ms: number,
  queue: Queue,
  within: Transaction | Sql,
): Promise<void> {
  await countChanged(within, putOff, [push.serverId, push.name, ms]);
  await wakeLater(push, ms, queue, within);
}

/** Delays double from ten seconds up to ten minutes. */
const retryMsAfter = (tries: number): number =>
  doubledMs(10_000, 600_000, Math.min(Math.max(tries - 1, 0), 20));

/** Schedules a separate job: the job for the next change has a shorter delay. */
export const wakeLater = (
  { serverId, name }: Pick<PushUnderWay, "serverId" | "name">,
  ms: number,
  queue: Queue,
  within?: Transaction | Sql,
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

/** Changes requested meanwhile are pushed at once, whatever the result. */
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
    where source = ${sourceNameSql("server_id")} and ingest_sources.state = 'connected'
      and plugin_connected) as "isConnected"`;

const settleLedger = `
  update survival_ledger set state = $3, reason = $4,
    confirmed_at = case when $3 = 'confirmed' then clock_timestamp() end,
    ended_at = case when $3 <> 'confirmed' then clock_timestamp() end
  where server_id = $1 and ref = $2 and state = 'pushed'`;

const putOff = `
  update survival_pushes
  set retry_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
  where server_id = $1 and name = $2`;

/** Locks a push under way. @returns false if another one has replaced it */
export async function holdUnderWay(
  { serverId, ref }: Pick<PushUnderWay, "serverId" | "ref">,
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

/** Rolls back the records of a push that another one has replaced. */
class PushOvertaken extends Error {
  override readonly name = "PushOvertaken";
}

/** @throws {PushOvertaken} */
function requireUnderWay(isUnderWay: boolean): void {
  if (!isUnderWay) throw new PushOvertaken();
}

/**
 * Records the result of a push. To avoid deadlocks, `work` locks the subject of the push before the
 * push itself, as all writers do.
 * @param work calls `say` after it has locked the push: true if the push is under way
 * @returns false without recording if the push was replaced or the server deleted
 */
export async function whileUnderWay(
  serverId: number,
  sequelize: Sequelize,
  work: (transaction: Transaction, say: typeof requireUnderWay) => Promise<void>,
): Promise<boolean> {
  try {
    await inTransaction(sequelize, async (transaction) => {
      requireUnderWay((await holdServer(serverId, transaction)) !== null);
      await work(transaction, requireUnderWay);
    });
    return true;
  } catch (error) {
    if (error instanceof PushOvertaken) return false;
    throw error;
  }
}
