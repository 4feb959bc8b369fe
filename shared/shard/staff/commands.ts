import type { Transaction } from "sequelize";

import type { Caller } from "../../platform/access/caller.ts";
import {
  type Activity,
  beginActivity,
  recordActivityOutcome,
} from "../../platform/activity/activity.ts";
import { BridgeError, isPossiblyExecuted } from "../../platform/bridge/bridge-error.ts";
import type {
  CommandActor as ActorOnShard,
  CommandOptions,
} from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import type { Context } from "../../platform/context.ts";
import { type DatabaseTime, readDatabaseTime } from "../../platform/db/stale-answers.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import type { ShardContext } from "../context.ts";

export interface CommandRequest {
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
  /** Throws to refuse the command. Runs in the transaction of the log entry, before the command is sent. */
  readonly check?: ((transaction: Transaction) => Promise<void>) | undefined;
  readonly send: (control: ControlClient, order: CommandOptions) => Promise<Answer>;
  /** Stores the result, in the transaction that completes the log entry. @param askedAt the time before sending */
  readonly keep?: (
    answer: Answer,
    transaction: Transaction,
    askedAt: DatabaseTime,
  ) => Promise<unknown>;
  /** Returns fields to add to the log entry after success. */
  readonly noted?: (answer: Answer) => Readonly<Record<string, unknown>>;
}

/**
 * Sends a command once. The activity log records it before it is sent, so that a crash cannot hide it. The
 * logged outcome is `unknown` until a definite answer arrives.
 * @throws {BridgeError} if the command was refused or its outcome is unknown
 */
export async function runCommand<Answer>(
  command: ShardCommand<Answer>,
  order: CommandRequest,
  context: ShardContext,
): Promise<Answer> {
  const { lineId, askedAt } = await openLogEntry(command, order, context);
  const answer = await sendCommand(command, { ...order, lineId }, context);
  await inCallersTransaction(context.sequelize, async (transaction) => {
    await command.keep?.(answer, transaction, askedAt);
    const outcome = { ...command.noted?.(answer), outcome: "done" };
    await recordActivityOutcome(lineId, outcome, transaction);
  });
  return answer;
}

const openLogEntry = (
  {
    action,
    target,
    detail,
    check,
  }: Pick<ShardCommand<unknown>, "action" | "target" | "detail" | "check">,
  { caller, address }: CommandRequest,
  { sequelize }: Context,
): Promise<{ lineId: number; askedAt: DatabaseTime }> =>
  inCallersTransaction(sequelize, async (transaction) => {
    await check?.(transaction);
    const line = { actor: caller, action, target, address, detail };
    const lineId = await beginActivity(line, transaction);
    return { lineId, askedAt: await readDatabaseTime(transaction) };
  });

/** Describes the caller for the shard. The name of an API token is included for the game's own log. */
export const toCommandActor = ({ userId, username, role, apiToken }: Caller): ActorOnShard => ({
  userId,
  username: apiToken ? `${username} (token ${apiToken.id}: ${apiToken.name})` : username,
  role,
});

async function sendCommand<Answer>(
  command: ShardCommand<Answer>,
  { caller, requestId, idempotencyKey, lineId }: CommandRequest & { readonly lineId: number },
  context: ShardContext,
): Promise<Answer> {
  const actor = toCommandActor(caller);
  try {
    return await context.shard.call((control) =>
      command.send(control, { actor, requestId, idempotencyKey }),
    );
  } catch (error) {
    if (error instanceof BridgeError && !isPossiblyExecuted(error)) {
      const outcome = { outcome: error.code };
      await inCallersTransaction(context.sequelize, (transaction) =>
        recordActivityOutcome(lineId, outcome, transaction),
      );
    }
    throw error;
  }
}
