import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import type { Models } from "../../../models/index.ts";
import type { ServiceProcess } from "../../../models/ops/service-process.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import type { Context } from "../context.ts";
import { inAsyncCommitTransaction } from "../db/transaction.ts";
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

export type RunningProcess = Readonly<Pick<ServiceProcess, (typeof shown)[number]>>;

const heartbeatMs = 5_000;

/** A process counts as alive if it updated its row within this time. */
export const aliveWithinSeconds = 20;

export interface ProcessHeartbeat extends Stoppable {
  readonly id: string;
}

/** Inserts this process's row and updates it regularly. @param internalPort port of health and metrics */
export async function startHeartbeat(
  context: Context,
  kind: ProcessKind,
  groups: readonly QueueGroup[] = [],
  internalPort: number | null = null,
): Promise<ProcessHeartbeat> {
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
  // Ignore duplicates, because the insert may be retried after its response was lost.
  const write = () => models.ServiceProcess.bulkCreate([row], { ignoreDuplicates: true });
  await context.startWait.for(write);
  const touch = () =>
    inAsyncCommitTransaction(context.sequelize, (transaction) =>
      models.ServiceProcess.update({ seenAt: transactionStart() }, { where: { id }, transaction }),
    );
  let beating: Promise<void> | undefined;
  const beat = async (): Promise<void> => {
    await touch().catch((error: unknown) => log.warn({ err: error }, "heartbeat failed"));
    beating = undefined;
  };
  // Do not overlap heartbeats: they would use up all connections.
  const timer = setInterval(() => (beating ??= beat()), heartbeatMs);
  const stop = async () => {
    clearInterval(timer);
    await models.ServiceProcess.destroy({ where: { id } });
  };
  return { id, name: "heartbeat", stop };
}

const alive = (models: Models) =>
  models.ServiceProcess.scope({ method: ["seenWithin", aliveWithinSeconds] });

/** Returns true if this process has run longer than all other live processes. Only one process gets true. */
export async function isLongestRunningProcess(id: string, models: Models): Promise<boolean> {
  const oldest = await alive(models).findOne({ order: ["startedAt", "id"], attributes: ["id"] });
  return oldest?.id === id;
}

export const readAliveProcesses = (models: Models): Promise<RunningProcess[]> =>
  alive(models).findAll({ attributes: [...shown], order: ["kind", "startedAt"], raw: true });

/** Returns the port of health and metrics of each process that has one, by process id. */
export async function readInternalPorts(models: Models): Promise<Map<string, number>> {
  const processes = await models.ServiceProcess.findAll({
    attributes: ["id", "internalPort"],
    raw: true,
  });
  const withPort = processes.filter(({ internalPort }) => internalPort !== null);
  return new Map(withPort.map(({ id, internalPort }) => [id, internalPort as number]));
}

/** Deletes the rows of processes that ended without a stop. */
export async function pruneProcesses(models: Models): Promise<void> {
  await models.ServiceProcess.scope("longGone").destroy();
}
