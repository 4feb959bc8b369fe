import { flushCompileCache } from "node:module";
import type { AddressInfo } from "node:net";

import { collectDefaultMetrics, Registry } from "prom-client";

import { type Config, readConfigOrExit } from "../platform/config/config.ts";
import { countNeededConnections } from "../platform/db/connection/connection.ts";
import { startHeartbeat, type ProcessKind } from "../platform/job-records/processes.ts";
import { createLogger, redirectConsoleToLog } from "../platform/log.ts";
import { stopOnSignals, type Stoppable } from "../platform/process/process.ts";
import type { QueueGroup } from "../platform/queue/queues.ts";
import { createServerCloser } from "./close-server.ts";
import { type ProcessPhase, createReadinessChecks } from "./health.ts";
import { startInternalServer } from "./internal-server.ts";
import { registerProcessMetrics } from "./process-metrics.ts";
import type { SiteContext } from "./site-context.ts";
import { registerSiteMetrics } from "./site-metrics.ts";
import { type StartedContext, type StartOptions, startContext } from "./start-context.ts";

export interface StartedProcess {
  readonly config: Config;
  readonly context: SiteContext;
  readonly registry: Registry;
  /** The services that must be stopped when the process ends, in reverse order. */
  readonly parts: Stoppable[];
  /** Marks the process as ready. Logs the message and the largest number of connections. */
  readonly begin: (facts: object, words: string) => void;
}

/**
 * Starts what every process has: checked environment, context, health and metrics on the internal listener, the
 * process's row, and an orderly stop on SIGTERM.
 * @param statementMs timeout of a statement, if longer than the configured one
 */
export async function startProcess(
  kind: ProcessKind,
  groups: readonly QueueGroup[] = [],
  statementMs?: number,
): Promise<StartedProcess> {
  const config = readConfigOrExit();
  const log = createLogger(kind, config.LOG_LEVEL);
  redirectConsoleToLog(log);
  const connections = countNeededConnections(kind, config);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { context, parts } = await startOrExplain(config, kind, { statementMs, connections });
  let phase: ProcessPhase = "starting";
  const readiness = { name: "readiness", stop: () => Promise.resolve((phase = "stopping")) };
  stopOnSignals(context.log, () => [...parts, readiness]);
  const internal = await startInternalServer({
    process: kind,
    host: config.INTERNAL_HOST,
    port: config.INTERNAL_PORT,
    registry,
    readiness: createReadinessChecks(context, () => phase),
  });
  parts.push({ name: "internal listener", stop: createServerCloser(internal) });
  const { port: internalPort } = internal.address() as AddressInfo;
  const row = await startHeartbeat(context, kind, groups, internalPort);
  parts.push(row);
  registerProcessMetrics(registry, kind, context);
  registerSiteMetrics(registry, row.id, context);
  const markReady = (facts: object, words: string) => {
    if (phase === "starting") phase = "working";
    // Write the compile cache now: Node writes it only at exit, which a killed process does not reach.
    flushCompileCache();
    context.log.info({ connections, ...facts, internalPort }, words);
  };
  return { config, context, registry, parts, begin: markReady };
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
