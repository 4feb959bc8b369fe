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

export interface ShardOrder {
  readonly caller: Caller;
  readonly requestId: string;
  /** Lets the sidecar recognize a retry; absent if the client sent no key. */
  readonly idempotencyKey?: string | undefined;
  readonly address?: string | undefined;
}

/** A command to the shard: how to send it, what to log and what to store. */
export interface ShardCommand<Answer> {
  readonly action: `shard.${string}`;
  readonly target?: Activity["target"];
  /** Must not contain a secret or a private message. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** Throws to refuse the command, in the transaction of its log entry and before it is sent. */
  readonly check?: ((transaction: Transaction) => Promise<void>) | undefined;
  readonly send: (control: Control, order: Order) => Promise<Answer>;
  /** Stores the result, in the transaction that completes the log entry. @param askedAt before sending */
  readonly keep?: (answer: Answer, transaction: Transaction, askedAt: Moment) => Promise<unknown>;
  /** Adds fields to the log entry after success. */
  readonly noted?: (answer: Answer) => Readonly<Record<string, unknown>>;
}

/**
 * Sends a command once. The activity log records it before it is sent, so that a crash cannot hide it. The
 * logged outcome is `unknown` until a definite answer arrives.
 * @throws {BridgeError} if the command was refused or its outcome is unknown
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

/** Adds the API token's name for the game's own log. */
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
