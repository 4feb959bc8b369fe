import type { SiteContext } from "../../../shared/ops/site-context.ts";
import type { Cursor, EventFrame, StreamFrame } from "../../../shared/platform/bridge/frames.ts";
import { acquireSourceOwnership } from "../../../shared/platform/ingest/ownership.ts";
import { SourceSupervisor } from "../../../shared/platform/ingest/source-supervisor.ts";
import { storeFrames } from "../../../shared/platform/ingest/store-batch.ts";
import {
  superviseSurvivalServers,
  createSurvivalSource,
} from "../../../shared/survival/ingest/survival-source.ts";
import { sourceNameOf } from "../../../shared/survival/server-locks.ts";
import { timeoutMs } from "../clock/wait.ts";

const epoch = "6f1c3c5e-0000-4000-8000-0000000000cc";
let lastSeq = 0;

/** Returns the frame of the next event in a survival server's buffer. */
export function survivalFrame(
  kind: string,
  payload: object,
  given: Partial<EventFrame> = {},
): EventFrame {
  lastSeq += 1;
  return {
    type: "event",
    epoch,
    seq: lastSeq,
    bootId: "boot",
    eventKey: null,
    kind,
    t: 1_764_200_000_000 + lastSeq,
    replay: false,
    payload: payload as EventFrame["payload"],
    ...given,
  };
}

/** Stores frames as one batch of a survival server. */
export async function storeSurvivalFrames(
  context: SiteContext,
  serverId: number,
  frames: readonly StreamFrame[],
): Promise<Cursor | null> {
  const { config, log } = context;
  const signal = AbortSignal.timeout(timeoutMs);
  const source = sourceNameOf(serverId);
  const owner = await acquireSourceOwnership({ url: config.DATABASE_URL, source, log, signal });
  try {
    return await storeFrames(frames, owner, createSurvivalSource(serverId, context), log);
  } finally {
    await owner.release();
  }
}

/**
 * Ingests the events of all enabled survival servers in the test process, as an ingest process
 * does.
 */
export async function startSurvivalIngest(
  context: SiteContext,
): Promise<{ stop(): Promise<void> }> {
  const keeper = new SourceSupervisor(context);
  const following = await superviseSurvivalServers(keeper, [], context);
  return {
    stop: async () => {
      await following.stop();
      await keeper.stop();
    },
  };
}
