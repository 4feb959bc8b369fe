import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import type { Models } from "../../../models/index.ts";
import type { ServiceProcess } from "../../../models/ops/service-process.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import type { Context } from "../context.ts";
import { inForgettableTransaction } from "../db/transaction.ts";
import type { Stoppable } from "../process/process.ts";
import { version } from "../process/version.ts";
import type { QueueGroup } from "../queue/queues.ts";

export const processKinds = ["web", "ingest", "worker"] as const;
export type ProcessKind = (typeof processKinds)[number];

const shown = [
  "id",
  "kind",
  "queueGroups",
  "host",
  "pid",
  "version",
  "startedAt",
  "seenAt",
] as const;

export type SeenProcess = Readonly<Pick<ServiceProcess, (typeof shown)[number]>>;

const beatMs = 5_000;

/** A process counts as alive when its row was touched within this time. */
export const aliveWithinSeconds = 20;

/** A process's row, which is kept until it is stopped. */
export interface ProcessRow extends Stoppable {
  readonly id: string;
}

/**
 * Writes this process's row and keeps touching it, so that others see that it lives.
 * @param internalPort where its health is asked for, if it has such a listener
 */
export async function keepProcessRow(
  context: Context,
  kind: ProcessKind,
  groups: readonly QueueGroup[] = [],
  internalPort: number | null = null,
): Promise<ProcessRow> {
  const { models, log } = context;
  const id = randomUUID();
  const row = {
    id,
    kind,
    queueGroups: [...groups],
    host: hostname(),
    pid: process.pid,
    version,
    internalPort,
  };
  // The answer to a row that was written may be lost.
  const write = () => models.ServiceProcess.bulkCreate([row], { ignoreDuplicates: true });
  await context.startWait.for(write);
  const touch = () =>
    inForgettableTransaction(context.sequelize, (transaction) =>
      models.ServiceProcess.update({ seenAt: transactionStart() }, { where: { id }, transaction }),
    );
  let beating: Promise<void> | undefined;
  const beat = async (): Promise<void> => {
    await touch().catch((error: unknown) => log.warn({ err: error }, "heartbeat failed"));
    beating = undefined;
  };
  // Beats that waited for one another would take every connection there is.
  const timer = setInterval(() => (beating ??= beat()), beatMs);
  const stop = async () => {
    clearInterval(timer);
    await models.ServiceProcess.destroy({ where: { id } });
  };
  return { id, name: "heartbeat", stop };
}

const alive = (models: Models) =>
  models.ServiceProcess.scope({ method: ["seenWithin", aliveWithinSeconds] });

/** Whether this process has run longest of those that are alive: one of them alone has. */
export async function isLongestRunning(id: string, models: Models): Promise<boolean> {
  const oldest = await alive(models).findOne({ order: ["startedAt", "id"], attributes: ["id"] });
  return oldest?.id === id;
}

/** Processes that are alive now. */
export const readAliveProcesses = (models: Models): Promise<SeenProcess[]> =>
  alive(models).findAll({ attributes: [...shown], order: ["kind", "startedAt"], raw: true });

/** The port of health and metrics of each process that has one, by the process's id. */
export async function readInternalPorts(models: Models): Promise<Map<string, number>> {
  const processes = await models.ServiceProcess.findAll({
    attributes: ["id", "internalPort"],
    raw: true,
  });
  const withPort = processes.filter(({ internalPort }) => internalPort !== null);
  return new Map(withPort.map(({ id, internalPort }) => [id, internalPort as number]));
}

/** Forgets rows of processes that ended without saying so. */
export async function pruneProcesses(models: Models): Promise<void> {
  await models.ServiceProcess.scope("longGone").destroy();
}
