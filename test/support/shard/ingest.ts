import type { SiteContext } from "../../../shared/ops/site-context.ts";
import type { Cursor, StreamFrame } from "../../../shared/platform/bridge/frames.ts";
import type { Context } from "../../../shared/platform/context.ts";
import {
  acquireSourceOwnership,
  type SourceOwnership,
} from "../../../shared/platform/ingest/ownership.ts";
import { SourceIngest } from "../../../shared/platform/ingest/source-ingest.ts";
import { storeFrames } from "../../../shared/platform/ingest/store-batch.ts";
import { shardHandlers } from "../../../shared/shard/ingest/shard-game.ts";
import { createShardSource } from "../../../shared/shard/ingest/shard-source.ts";
import { sealSidecarToken } from "../../../shared/shard/sidecar/sidecar-link.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { query } from "../database/query.ts";
import { changeSidecarLink } from "../factories/shard.ts";
import { callAsPlugin, linksByPlugin } from "../plugin/plugin-link.ts";

export interface TestIngest {
  readonly ingest: SourceIngest;
  stop(): Promise<void>;
}

/** Makes the link lead to a simulator, as an administrator does. */
export async function linkSimulator(
  { baseUrl, wsUrl, token }: Pick<Simulator, "baseUrl" | "wsUrl" | "token">,
  context: SiteContext,
): Promise<void> {
  if (linksByPlugin) {
    await changeSidecarLink({ context }, { kind: "plugin", enabled: true });
    await callAsPlugin(
      { baseUrl, wsUrl, token },
      { source: "shard", game: "uo", protocol: 8 },
      context,
    );
    await query({ context }, "select pg_notify('shardlink_config', '{}')");
    return;
  }
  const tokenSealed = sealSidecarToken(token, context.config.SECRETS_KEYS);
  await changeSidecarLink({ context }, { baseUrl, wsUrl, tokenSealed, protocol: 8, enabled: true });
  await query({ context }, "select pg_notify('shardlink_config', '{}')");
}

/** The running ingests, by database. A source can have one owner only. */
const started = new Map<string, TestIngest>();

/**
 * Ingests the events of the shard in the test process, as an ingest process does. First stops an
 * ingest that a failed test has left running, because it would still own the source.
 */
export async function startTestIngest(context: SiteContext): Promise<TestIngest> {
  const stopping = new AbortController();
  const { config, log } = context;
  await started.get(config.DATABASE_URL)?.stop();
  const options = { url: config.DATABASE_URL, source: "shard", log, signal: stopping.signal };
  const owner = await acquireSourceOwnership(options);
  const ingest = new SourceIngest(context, createShardSource(context), owner);
  const running = ingest.run(stopping.signal);
  const stop = async () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    started.delete(config.DATABASE_URL);
    await running;
    await owner.release();
  };
  started.set(config.DATABASE_URL, { ingest, stop });
  return { ingest, stop };
}

/** Stores frames as one batch of the shard. */
export const storeShardBatch = (
  frames: readonly StreamFrame[],
  owner: SourceOwnership,
  context: Pick<Context, "queue" | "log">,
): Promise<Cursor | null> =>
  storeFrames(frames, owner, { game: shardHandlers(context) }, context.log);
