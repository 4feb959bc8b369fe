import type { Transaction } from "sequelize";

import type { Caller } from "../auth/caller.ts";
import { BridgeError } from "../bridge/bridge-error.ts";
import type { Order } from "../bridge/call.ts";
import type { Control } from "../bridge/control.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../db/transaction.ts";
import { type Activity, recordActivity } from "../site/activity.ts";

/** Who wants something done on the shard, by which request. */
export interface ShardOrder {
  readonly caller: Caller;
  readonly requestId: string;
  /** What the sidecar knows a repetition by; absent when the client gave no key of its own. */
  readonly idempotencyKey?: string | undefined;
  readonly address?: string | undefined;
}

/** Something done on the shard: how it is sent, what the log says of it, what we keep of it. */
export interface ShardCommand<Answer> {
  readonly action: `shard.${string}`;
  readonly target?: Activity["target"];
  /** Never a secret, never a private message. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly send: (control: Control, order: Order) => Promise<Answer>;
  /** What is written with the line of the log when it is done. */
  readonly keep?: (answer: Answer, transaction: Transaction) => Promise<unknown>;
  /** What the log says more when it is done. */
  readonly noted?: (answer: Answer) => Readonly<Record<string, unknown>>;
}

/**
 * Has the sidecar carry a command out, once. Whatever comes of it stands in the activity log.
 * @throws {BridgeError} when it was refused, or nobody knows whether it was done
 */
export async function carryOut<Answer>(
  command: ShardCommand<Answer>,
  order: ShardOrder,
  context: Context,
): Promise<Answer> {
  const answer = await sendOrNote(command, order, context);
  await inTransaction(context.sequelize, async (transaction) => {
    await command.keep?.(answer, transaction);
    const outcome = { ...command.noted?.(answer), outcome: "done" };
    await recordOutcome(command, order, outcome, transaction);
  });
  return answer;
}

async function sendOrNote<Answer>(
  command: ShardCommand<Answer>,
  order: ShardOrder,
  context: Context,
): Promise<Answer> {
  const { caller: actor, requestId, idempotencyKey } = order;
  try {
    return await context.shard.call((control) =>
      command.send(control, { actor, requestId, idempotencyKey }),
    );
  } catch (error) {
    if (error instanceof BridgeError) {
      const outcome = { outcome: error.code };
      await inTransaction(context.sequelize, (transaction) =>
        recordOutcome(command, order, outcome, transaction),
      );
    }
    throw error;
  }
}

const recordOutcome = (
  { action, target, detail }: Pick<Activity, "action" | "target" | "detail">,
  { caller, address }: ShardOrder,
  outcome: { readonly outcome: string },
  transaction: Transaction,
): Promise<void> =>
  recordActivity(
    { actorId: caller.userId, action, target, address, detail: { ...detail, ...outcome } },
    transaction,
  );
