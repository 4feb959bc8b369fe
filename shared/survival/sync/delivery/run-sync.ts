import type { SurvivalSync } from "../../../../models/survival/survival-sync.ts";
import { BridgeError } from "../../../platform/bridge/bridge-error.ts";
import type { CommandActor } from "../../../platform/bridge/calls/call.ts";
import type { Context } from "../../../platform/context.ts";
import { rows } from "../../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import { isPossiblyDelivered, systemActor } from "../../calls/call-rules.ts";
import type { SurvivalContext } from "../../context.ts";
import { lockServerShared } from "../../server-locks.ts";
import {
  type SyncResult,
  type RunningSync,
  settleSync,
  scheduleSync,
  recordSyncResult,
} from "../settle-sync.ts";
import {
  type PreparedSync,
  type SyncAnswer,
  type SyncKind,
  isSyncName,
  type SyncName,
} from "../sync-kind.ts";
import { beginSync } from "./begin-sync.ts";
import { syncKinds } from "./sync-kinds.ts";

interface SyncJob {
  readonly serverId: number;
  readonly name: string;
}

export async function runSyncJob(
  { serverId, name }: SyncJob,
  context: SurvivalContext,
): Promise<void> {
  if (isSyncName(name)) await runSync({ serverId, name }, syncKinds[name], context);
}

/** Sends the data that one server lacks, if a sync is due. @param actor user named as the sender */
export async function runSync(
  work: Parameters<typeof beginSync>[0],
  kind: SyncKind,
  context: SurvivalContext,
  actor: CommandActor = systemActor,
): Promise<void> {
  const begun = await beginSync(work, kind, context);
  if ("rest" in begun) {
    if (begun.busyMs > 0) await scheduleSync(work, begun.busyMs, context.queue);
    return;
  }
  const { push, prepared } = begun;
  const order = { actor, idempotencyKey: push.ref };
  let answer: SyncAnswer;
  try {
    answer = await context.survival.call(work.serverId, (control) => prepared.send(control, order));
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    await fail(push, prepared, error, context);
    return;
  }
  await finish(push, answer, context);
}

async function finish(
  push: RunningSync,
  answer: SyncAnswer,
  context: SurvivalContext,
): Promise<void> {
  const { problem, outcomeWithinMs } = answer;
  await recordSyncResult(push.serverId, context.sequelize, async (transaction, requireUnderWay) => {
    if (outcomeWithinMs !== undefined) {
      // If the outcome has arrived already, the sync has ended and does not wait for it.
      await modelsOf(transaction).SurvivalPush.awaitOutcome(push, outcomeWithinMs, transaction);
      return;
    }
    const end: SyncResult =
      problem === undefined ? { state: "clean" } : { state: "failed", problem };
    await answer.settle?.(transaction);
    requireUnderWay(await settleSync(push, end, context.queue, transaction));
  });
}

async function fail(
  push: RunningSync,
  prepared: PreparedSync,
  error: BridgeError,
  context: SurvivalContext,
): Promise<void> {
  const isLost = isPossiblyDelivered(error);
  const state = isLost ? "failed" : (stateOf[error.code] ?? "failed");
  const end: SyncResult = { state, problem: error.code, ledger: isLost ? "lost" : "failed" };
  await inCallersTransaction(context.sequelize, async (transaction) => {
    await lockServerShared(push.serverId, transaction);
    if (!(await settleSync(push, end, context.queue, transaction))) return;
    await prepared.fail?.({ reason: error.code, isLost }, transaction);
  });
}

const stateOf: { readonly [Code in BridgeError["code"]]?: "offline" | "unsupported" } = {
  SHARD_DOWN: "offline",
  UNSUPPORTED: "unsupported",
  DISABLED: "unsupported",
};

/** A sync that is this many seconds late was left by a dead worker. */
const lateSeconds = 30;

/** Schedules syncs that dead workers left, and syncs without an outcome report. */
export async function sweepSyncs({ sequelize, queue, config }: Context): Promise<void> {
  const late = lateSeconds + config.SURVIVAL_DEBOUNCE / 1_000;
  for (const push of await rows<LateSync>(sequelize, findLateSyncs, [late])) {
    await scheduleSync(push, 0, queue);
  }
}

interface LateSync extends Pick<SurvivalSync, "serverId" | "name"> {
  readonly name: SyncName;
}

const findLateSyncs = `
  select push.server_id as "serverId", push.name from survival_pushes push
  join survival_servers server on server.id = push.server_id
  where server.enabled and push.asked > push.pushed
    and (push.state = 'waiting' and push.asked_at < clock_timestamp() - make_interval(secs => $1)
      or push.state = 'pushing' and push.busy_until < clock_timestamp()
      or push.state in ('failed', 'offline') and push.retry_at < clock_timestamp())
  order by push.server_id, push.name`;
