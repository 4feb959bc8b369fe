import type { Transaction } from "sequelize";

import type { Caller } from "../auth/caller.ts";
import { BridgeError } from "../bridge/bridge-error.ts";
import type { Order } from "../bridge/call.ts";
import type { Control } from "../bridge/control.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../db/transaction.ts";
import { type Activity, openActivity, settleActivity } from "../site/activity.ts";

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
 * Has the sidecar carry a command out, once. It stands in the activity log before it leaves, so that
 * no end of this process hides it: its outcome is `unknown` until it is known.
 * @throws {BridgeError} when it was refused, or nobody knows whether it was done
 */
export async function carryOut<Answer>(
  command: ShardCommand<Answer>,
  order: ShardOrder,
  context: Context,
): Promise<Answer> {
  const lineId = await openLine(command, order, context);
  const answer = await sendOrNote(command, { ...order, lineId }, context);
  await inTransaction(context.sequelize, async (transaction) => {
    await command.keep?.(answer, transaction);
    const outcome = { ...command.noted?.(answer), outcome: "done" };
    await settleActivity(lineId, outcome, transaction);
  });
  return answer;
}

const openLine = (
  { action, target, detail }: Pick<Activity, "action" | "target" | "detail">,
  { caller, address }: ShardOrder,
  { sequelize }: Context,
): Promise<number> =>
  inTransaction(sequelize, (transaction) =>
    openActivity({ actorId: caller.userId, action, target, address, detail }, transaction),
  );

async function sendOrNote<Answer>(
  command: ShardCommand<Answer>,
  { caller: actor, requestId, idempotencyKey, lineId }: ShardOrder & { readonly lineId: number },
  context: Context,
): Promise<Answer> {
  try {
    return await context.shard.call((control) =>
      command.send(control, { actor, requestId, idempotencyKey }),
    );
  } catch (error) {
    if (error instanceof BridgeError) {
      const outcome = { outcome: error.code };
      await inTransaction(context.sequelize, (transaction) =>
        settleActivity(lineId, outcome, transaction),
      );
    }
    throw error;
  }
}
