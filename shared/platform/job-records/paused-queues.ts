import type { Transaction } from "sequelize";

import type { Caller } from "../access/caller.ts";
import { recordActivity } from "../activity/activity.ts";
import type { Context } from "../context.ts";
import { inCallersTransaction } from "../db/transaction.ts";
import { notify } from "../notify/channels.ts";
import { findQueue, type QueueName } from "../queue/queues.ts";
import { type QueueHealth, readHealthOfQueue } from "./queue-health.ts";

export async function readPausedQueues({
  models,
}: Pick<Context, "models">): Promise<ReadonlySet<string>> {
  const rows = await models.PausedQueue.findAll({ attributes: ["queue"] });
  return new Set(rows.map(({ queue }) => queue));
}

/** Stops workers from taking jobs of a queue. Active jobs continue. @throws AppError 404 if unknown */
export async function pauseQueue(
  name: string,
  caller: Caller,
  context: Context,
): Promise<QueueHealth> {
  const queue = findQueue(name);
  await inCallersTransaction(context.sequelize, async (transaction) => {
    const { PausedQueue } = context.models;
    const paused = await PausedQueue.pauseOnce({ queue, pausedBy: caller.userId }, transaction);
    if (paused) await recordPauseAction({ queue, action: "queue.paused", caller }, transaction);
  });
  return readHealthOfQueue(queue, context);
}

/** @throws AppError 404 for an unknown queue */
export async function resumeQueue(
  name: string,
  caller: Caller,
  context: Context,
): Promise<QueueHealth> {
  const queue = findQueue(name);
  await inCallersTransaction(context.sequelize, async (transaction) => {
    const resumed = await context.models.PausedQueue.destroy({ where: { queue }, transaction });
    if (resumed) await recordPauseAction({ queue, action: "queue.resumed", caller }, transaction);
  });
  return readHealthOfQueue(queue, context);
}

interface PauseAction {
  readonly queue: QueueName;
  readonly action: string;
  readonly caller: Caller;
}

async function recordPauseAction(
  { queue, action, caller }: PauseAction,
  transaction: Transaction,
): Promise<void> {
  const target = { type: "queue", id: queue };
  await recordActivity({ actor: caller, action, target }, transaction);
  await notify("paused_queues", {}, transaction);
}
