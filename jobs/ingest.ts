import { becomeOwner } from "../shared/ingest/ownership.ts";
import { startProcess } from "../shared/ops/start-process.ts";
import { ShardIngest } from "../shared/shard/ingest/shard-ingest.ts";
import { restBeforeRetry } from "../shared/shard/ingest/store-safely.ts";
import { observeIngest } from "./ingest-metrics.ts";

const source = "shard";
const { config, context, registry, parts, begin } = await startProcess("ingest");
const { log } = context;
const stopping = new AbortController();
let current: ShardIngest | null = null;
observeIngest(registry, () => current?.stats ?? null);

const running = takeInUntilStopped();
parts.push({
  name: "ingest",
  stop: () => {
    stopping.abort();
    return running;
  },
});
begin({ source }, "ready to own or to stand by");

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
