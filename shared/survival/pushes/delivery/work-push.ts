import { BridgeError } from "../../../platform/bridge/bridge-error.ts";
import { type Actor } from "../../../platform/bridge/calls/call.ts";
import { inTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import { mayHaveArrived, systemActor } from "../../calls/call-rules.ts";
import type { SurvivalContext } from "../../context.ts";
import { holdServer } from "../../server-rows.ts";
import type { PreparedPush, PushAnswer, PushKind } from "../push-kind.ts";
import { isPushName } from "../push-names.ts";
import { type PushEnd, type PushUnderWay, settlePush, wakeLater } from "../settle-push.ts";
import { whileUnderWay } from "../under-way.ts";
import { beginPush } from "./begin-push.ts";
import { pushKinds } from "./push-kinds.ts";

interface Asked {
  readonly serverId: number;
  readonly name: string;
}

/** Brings a server what it lacks of one sort, as far as that is due now. */
export async function workPush({ serverId, name }: Asked, context: SurvivalContext): Promise<void> {
  if (isPushName(name)) await pushKind({ serverId, name }, pushKinds[name], context);
}

/** The same with the kind named. @param actor in whose name */
export async function pushKind(
  work: Parameters<typeof beginPush>[0],
  kind: PushKind,
  context: SurvivalContext,
  actor: Actor = systemActor,
): Promise<void> {
  const begun = await beginPush(work, kind, context);
  if ("rest" in begun) {
    if (begun.busyMs > 0) await wakeLater(work, begun.busyMs, context.queue);
    return;
  }
  const { push, prepared } = begun;
  const order = { actor, idempotencyKey: push.ref };
  let answer: PushAnswer;
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
  push: PushUnderWay,
  answer: PushAnswer,
  context: SurvivalContext,
): Promise<void> {
  const { problem, outcomeWithinMs } = answer;
  await whileUnderWay(push.serverId, context.sequelize, async (transaction, requireUnderWay) => {
    if (outcomeWithinMs !== undefined) {
      // The frame that tells it may have come already: then the push is not under way any more.
      await modelsOf(transaction).SurvivalPush.awaitOutcome(push, outcomeWithinMs, transaction);
      return;
    }
    const end: PushEnd = problem === undefined ? { state: "clean" } : { state: "failed", problem };
    await answer.settle?.(transaction);
    requireUnderWay(await settlePush(push, end, context.queue, transaction));
  });
}

async function fail(
  push: PushUnderWay,
  prepared: PreparedPush,
  error: BridgeError,
  context: SurvivalContext,
): Promise<void> {
  const isLost = mayHaveArrived(error);
  const state = isLost ? "failed" : (stateOf[error.code] ?? "failed");
  const end: PushEnd = { state, problem: error.code, ledger: isLost ? "lost" : "failed" };
  await inTransaction(context.sequelize, async (transaction) => {
    await holdServer(push.serverId, transaction);
    if (!(await settlePush(push, end, context.queue, transaction))) return;
    await prepared.fail?.({ reason: error.code, isLost }, transaction);
  });
}

const stateOf: { readonly [Code in BridgeError["code"]]?: "offline" | "unsupported" } = {
  SHARD_DOWN: "offline",
  UNSUPPORTED: "unsupported",
  DISABLED: "unsupported",
};
