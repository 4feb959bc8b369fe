import { collectDefaultMetrics, Registry } from "prom-client";

import { ConfigError, loadConfig } from "../config/config.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { stopOnSignals, type Stoppable } from "../process.ts";
import type { QueueGroup } from "../queue/queues.ts";
import { startContext } from "../start-context.ts";
import { type Phase, readinessOf } from "./health.ts";
import { closeServer, startInternalServer } from "./internal-server.ts";
import { keepProcessRow, type ProcessKind } from "./processes.ts";

export interface StartedProcess {
  readonly config: Config;
  readonly context: Context;
  readonly registry: Registry;
  /** What ends with the process: the last one added ends first. */
  readonly parts: Stoppable[];
  /** Says that the process does its work from now on: before, it is not ready. */
  readonly begin: (facts: object, words: string) => void;
}

/** Exit code of a process whose arguments or environment are wrong. */
export const misconfigured = 78;

/**
 * What every process begins with: its checked environment, its context, health and metrics on the
 * internal listener, its row among the processes, and an orderly end on SIGTERM.
 */
export async function startProcess(
  kind: ProcessKind,
  groups: readonly QueueGroup[] = [],
): Promise<StartedProcess> {
  const config = readConfig();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { context, parts } = await startContext(config, kind);
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
  parts.push({ name: "internal listener", stop: () => closeServer(internal) });
  parts.push(await keepProcessRow(context, kind, groups));
  const begin = (facts: object, words: string) => {
    if (phase === "starting") phase = "working";
    context.log.info(facts, words);
  };
  return { config, context, registry, parts, begin };
}

function readConfig(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(misconfigured);
  }
}
