import { flushCompileCache } from "node:module";
import type { AddressInfo } from "node:net";

import { collectDefaultMetrics, Registry } from "prom-client";

import { type Config, readConfig } from "../platform/config/config.ts";
import { connectionNeed } from "../platform/db/connection/connection.ts";
import { keepProcessRow, type ProcessKind } from "../platform/job-records/processes.ts";
import { createLogger, logStrayOutput } from "../platform/log.ts";
import { stopOnSignals, type Stoppable } from "../platform/process/process.ts";
import type { QueueGroup } from "../platform/queue/queues.ts";
import { closerOf } from "./close-server.ts";
import { type Phase, readinessOf } from "./health.ts";
import { startInternalServer } from "./internal-server.ts";
import { observeProcess } from "./process-metrics.ts";
import type { SiteContext } from "./site-context.ts";
import { observeSite } from "./site-metrics.ts";
import { type StartedContext, type StartOptions, startContext } from "./start-context.ts";

export interface StartedProcess {
  readonly config: Config;
  readonly context: SiteContext;
  readonly registry: Registry;
  /** What ends with the process: the last one added ends first. */
  readonly parts: Stoppable[];
  /**
   * Says that the process does its work from now on, and how many connections it opens at most:
   * before, it is not ready.
   */
  readonly begin: (facts: object, words: string) => void;
}

/**
 * What every process begins with: its checked environment, its context, health and metrics on the
 * internal listener, its row among the processes, and an orderly end on SIGTERM.
 * @param statementMs that any statement may take, where it is more than is configured
 */
export async function startProcess(
  kind: ProcessKind,
  groups: readonly QueueGroup[] = [],
  statementMs?: number,
): Promise<StartedProcess> {
  const config = readConfig();
  const log = createLogger(kind, config.LOG_LEVEL);
  logStrayOutput(log);
  const connections = connectionNeed(kind, config);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { context, parts } = await startOrExplain(config, kind, { statementMs, connections });
  let phase: Phase = "starting";
  const readiness = { name: "readiness", stop: () => Promise.resolve((phase = "stopping")) };
  stopOnSignals(context.log, () => [...parts, readiness]);
  const internal = await startInternalServer({
    process: kind,
    host: config.INTERNAL_HOST,
    port: config.INTERNAL_PORT,
    registry,
    readiness: readinessOf(context, () => phase),
  });
  parts.push({ name: "internal listener", stop: closerOf(internal) });
  const { port: internalPort } = internal.address() as AddressInfo;
  const row = await keepProcessRow(context, kind, groups, internalPort);
  parts.push(row);
  observeProcess(registry, kind, context);
  observeSite(registry, row.id, context);
  const begin = (facts: object, words: string) => {
    if (phase === "starting") phase = "working";
    // By itself Node writes it at the end, and a process that is killed has none.
    flushCompileCache();
    context.log.info({ connections, ...facts, internalPort }, words);
  };
  return { config, context, registry, parts, begin };
}

async function startOrExplain(
  config: Config,
  kind: ProcessKind,
  options: StartOptions,
): Promise<StartedContext> {
  try {
    return await startContext(config, kind, options);
  } catch (error) {
    createLogger(kind, config.LOG_LEVEL).fatal({ err: error }, "cannot start");
    return process.exit(1);
  }
}
