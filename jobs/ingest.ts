import { collectDefaultMetrics, Registry } from "prom-client";

import { loadConfig } from "../shared/config/config.ts";
import { becomeOwner } from "../shared/ingest/ownership.ts";
import { readinessOf } from "../shared/ops/health.ts";
import { closeServer, startInternalServer } from "../shared/ops/internal-server.ts";
import { keepProcessRow } from "../shared/ops/processes.ts";
import { stopOnSignals } from "../shared/process.ts";
import { ShardIngest } from "../shared/shard/ingest/shard-ingest.ts";
import { restBeforeRetry } from "../shared/shard/ingest/store-safely.ts";
import { startContext } from "../shared/start-context.ts";
import { observeIngest } from "./ingest-metrics.ts";

const source = "shard";
const config = loadConfig();
const registry = new Registry();
collectDefaultMetrics({ register: registry });
const { context, parts } = await startContext(config, "ingest");
const { log } = context;
const stopping = new AbortController();
let current: ShardIngest | null = null;
observeIngest(registry, () => current?.stats ?? null);

let draining = false;
const internal = await startInternalServer({
  process: "ingest",
  host: config.INTERNAL_HOST,
  port: config.INTERNAL_PORT,
  registry,
  readiness: readinessOf(context, () => draining),
});
const heartbeat = await keepProcessRow(context, "ingest");
const running = takeInUntilStopped();
parts.push({ name: "internal listener", stop: () => closeServer(internal) }, heartbeat, {
  name: "ingest",
  stop: () => {
    draining = true;
    stopping.abort();
    return running;
  },
});
stopOnSignals(log, () => parts);

/** Owns the source, or stands by for it, again and again: a lost connection is no end. */
async function takeInUntilStopped(): Promise<void> {
  while (!stopping.signal.aborted) {
    try {
      await ownOnce();
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error, source }, "the source was lost");
    }
    await restBeforeRetry(stopping.signal);
  }
}

async function ownOnce(): Promise<void> {
  const url = config.DATABASE_LISTEN_URL ?? config.DATABASE_URL;
  const owner = await becomeOwner({ url, source, log, signal: stopping.signal });
  log.info({ source, fence: owner.fence }, "taking in events");
  try {
    current = new ShardIngest(context, owner);
    await current.run(stopping.signal);
  } finally {
    current = null;
    await owner.release();
  }
}
