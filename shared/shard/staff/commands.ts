import type { Transaction } from "sequelize";

import type { Caller } from "../../platform/access/caller.ts";
import { type Activity, openActivity, settleActivity } from "../../platform/activity/activity.ts";
import { BridgeError, mayBeDone } from "../../platform/bridge/bridge-error.ts";
import type { Actor as ActorOnShard, Order } from "../../platform/bridge/calls/call.ts";
import type { Control } from "../../platform/bridge/calls/control.ts";
import type { Context } from "../../platform/context.ts";
import { type Moment, readMoment } from "../../platform/db/late-answers.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { ShardContext } from "../context.ts";

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
  /** Refuses the command in the transaction that writes its line, before it is sent. */
  readonly check?: ((transaction: Transaction) => Promise<void>) | undefined;
  readonly send: (control: Control, order: Order) => Promise<Answer>;
  /** What is written with the line of the log when it is done. @param askedAt before it was sent */
  readonly keep?: (answer: Answer, transaction: Transaction, askedAt: Moment) => Promise<unknown>;
  /** What the log says more when it is done. */
  readonly noted?: (answer: Answer) => Readonly<Record<string, unknown>>;
}

/**
 * Has the sidecar carry a command out, once. It is written to the activity log before it is sent, so
 * that a crash cannot hide it; its outcome there is `unknown` until a definite answer comes.
 * @throws {BridgeError} when it was refused, or nobody knows whether it was done
 */
export async function carryOut<Answer>(
  command: ShardCommand<Answer>,
  order: ShardOrder,
  context: ShardContext,
): Promise<Answer> {
  const { lineId, askedAt } = await openLine(command, order, context);
  const answer = await sendOrNote(command, { ...order, lineId }, context);
  await inTransaction(context.sequelize, async (transaction) => {
    await command.keep?.(answer, transaction, askedAt);
    const outcome = { ...command.noted?.(answer), outcome: "done" };
    await settleActivity(lineId, outcome, transaction);
  });
  return answer;
}

const openLine = (
  {
    action,
    target,
    detail,
    check,
  }: Pick<ShardCommand<unknown>, "action" | "target" | "detail" | "check">,
  { caller, address }: ShardOrder,
  { sequelize }: Context,
): Promise<{ lineId: number; askedAt: Moment }> =>
  inTransaction(sequelize, async (transaction) => {
    await check?.(transaction);
    const line = { actor: caller, action, target, address, detail };
    const lineId = await openActivity(line, transaction);
    return { lineId, askedAt: await readMoment(transaction) };
  });

/** The game's own log names a program too. */
export const actorOf = ({ userId, username, role, apiToken }: Caller): ActorOnShard => ({
  userId,
  username: apiToken ? `${username} (token ${apiToken.id}: ${apiToken.name})` : username,
  role,
});

async function sendOrNote<Answer>(
  command: ShardCommand<Answer>,
  { caller, requestId, idempotencyKey, lineId }: ShardOrder & { readonly lineId: number },
  context: ShardContext,
): Promise<Answer> {
  const actor = actorOf(caller);
  try {
    return await context.shard.call((control) =>
      command.send(control, { actor, requestId, idempotencyKey }),
    );
  } catch (error) {
    if (error instanceof BridgeError && !mayBeDone(error)) {
      const outcome = { outcome: error.code };
      await inTransaction(context.sequelize, (transaction) =>
        settleActivity(lineId, outcome, transaction),
      );
    }
    throw error;
  }
}
