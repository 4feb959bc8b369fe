import { Op } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { SiteContext } from "../../../shared/ops/site-context.ts";
import type { EventFrame } from "../../../shared/platform/bridge/frames.ts";
import { directUrlOf } from "../../../shared/platform/db/connection/session-settings.ts";
import { acquireSourceOwnership } from "../../../shared/platform/ingest/ownership.ts";
import { storedRows } from "../database/stored-rows.ts";
import { changeIngestSource, changeSidecarLink } from "../factories/shard.ts";
import { storeShardBatch } from "./ingest.ts";

const epoch = "6f1c3c5e-0000-4000-8000-0000000000aa";
const bootId = "6f1c3c5e-0000-4000-8000-0000000000bb";

/**
 * The timeout for becoming the owner of the source. Without one, a test that has not stopped its ingest would
 * wait forever.
 */
const ownedWithinMs = 60_000;

/**
 * Stores events as if the shard had sent them, and makes the link appear connected.
 * @throws if an event is refused; the error states the reason
 */
export async function ingestTestEvents(
  context: SiteContext,
  events: readonly { readonly kind: string; readonly payload: object }[],
): Promise<void> {
  const { config, log, models } = context;
  const signal = AbortSignal.timeout(ownedWithinMs);
  const owner = await acquireSourceOwnership({
    url: directUrlOf(config),
    source: "shard",
    log,
    signal,
  });
  try {
    const last = await lastPlanted(models);
    const frames = events.map(({ kind, payload }, at) => frameOf(last + 1 + at, kind, payload));
    await storeShardBatch(frames, owner, context);
    await checkStored(models, last, events.length);
  } finally {
    await owner.release();
  }
  await changeSidecarLink({ context }, { enabled: true });
  await changeIngestSource(
    { context },
    { state: "connected", pluginConnected: true, beatAt: clockNowPlus(3_600_000) },
  );
}

/** Returns the last seq of the events stored by `plantEvents`. They have an epoch of their own. */
async function lastPlanted({ ShardEvent }: Models): Promise<number> {
  const last = await ShardEvent.findOne({ where: { epoch }, order: [["seq", "desc"]] });
  return last?.seq ?? 0;
}

async function checkStored(models: Models, after: number, expected: number): Promise<void> {
  const where = { epoch, seq: { [Op.gt]: after } };
  const stored = await models.ShardEvent.count({ where });
  if (stored === expected) return;
  const refused = await storedRows(models.RejectedFrame, ["kind", "reason", "detail"]);
  const why = refused.map((frame) => Object.values(frame).filter(Boolean).join(" ")).join("; ");
  throw new Error(`${stored} of ${expected} planted events were stored: ${why}`);
}

const frameOf = (seq: number, kind: string, payload: object): EventFrame => ({
  type: "event",
  epoch,
  seq,
  bootId,
  eventKey: null,
  kind,
  t: 1_764_200_000_000,
  replay: false,
  payload: payload as EventFrame["payload"],
});
