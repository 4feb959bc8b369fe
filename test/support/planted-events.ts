import { clockAfter } from "../../models/clock.ts";
import type { EventFrame } from "../../shared/bridge/frames.ts";
import type { Context } from "../../shared/context.ts";
import { type Database, firstRow } from "../../shared/db/rows.ts";
import { directUrlOf } from "../../shared/db/session-settings.ts";
import { becomeOwner } from "../../shared/ingest/ownership.ts";
import { changeIngestSource, changeSidecarLink } from "./factories/shard.ts";
import { storeShardBatch } from "./ingest.ts";

const epoch = "6f1c3c5e-0000-4000-8000-0000000000aa";
const bootId = "6f1c3c5e-0000-4000-8000-0000000000bb";

/** An ingest that a test forgot to stop keeps the source: nobody waits for it longer. */
const ownedWithinMs = 60_000;

/**
 * Stores events as if the shard had said them, and has the link look connected.
 * @throws when one of them is not stored, with what was wrong with it
 */
export async function plantEvents(
  context: Context,
  events: readonly { readonly kind: string; readonly payload: object }[],
): Promise<void> {
  const { config, log, sequelize } = context;
  const signal = AbortSignal.timeout(ownedWithinMs);
  const owner = await becomeOwner({ url: directUrlOf(config), source: "shard", log, signal });
  try {
    const last = await lastPlanted(sequelize);
    const frames = events.map(({ kind, payload }, at) => frameOf(last + 1 + at, kind, payload));
    await storeShardBatch(frames, owner, context);
    await checkStored(sequelize, last, events.length);
  } finally {
    await owner.release();
  }
  await changeSidecarLink({ context }, { enabled: true });
  await changeIngestSource(
    { context },
    { state: "connected", pluginConnected: true, beatAt: clockAfter(3_600_000) },
  );
}

/** Of the epoch that planted events have to themselves, however often a shard has spoken since. */
async function lastPlanted(database: Database): Promise<number> {
  const text = "select coalesce(max(seq), 0) as seq from shard_events where epoch = $1";
  return (await firstRow<{ seq: number }>(database, text, [epoch]))?.seq ?? 0;
}

async function checkStored(database: Database, after: number, expected: number): Promise<void> {
  const text = `
    select (select count(*) from shard_events where epoch = $1 and seq > $2) as stored,
      (select string_agg(concat_ws(' ', kind, reason, detail), '; ') from rejected_frames) as reason`;
  const found = await firstRow<{ stored: number; reason: string }>(database, text, [epoch, after]);
  if (found?.stored === expected) return;
  throw new Error(`${found?.stored} of ${expected} planted events were stored: ${found?.reason}`);
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
