import type { EventFrame } from "../../shared/bridge/frames.ts";
import type { Context } from "../../shared/context.ts";
import { becomeOwner } from "../../shared/ingest/ownership.ts";
import { storeBatch } from "../../shared/shard/ingest/store-batch.ts";

const epoch = "6f1c3c5e-0000-4000-8000-0000000000aa";
const bootId = "6f1c3c5e-0000-4000-8000-0000000000bb";

/** Stores events as if the shard had said them, and has the link look connected. */
export async function plantEvents(
  context: Context,
  events: readonly { readonly kind: string; readonly payload: object }[],
): Promise<void> {
  const { config, log, sequelize } = context;
  const signal = new AbortController().signal;
  const owner = await becomeOwner({ url: config.DATABASE_URL, source: "shard", log, signal });
  const { rows } = await owner.use((sql) =>
    sql.query<{ seq: number | null }>("select seq from ingest_sources"),
  );
  const first = (rows[0]?.seq ?? 0) + 1;
  const frames = events.map(({ kind, payload }, place) => frameOf(first + place, kind, payload));
  await storeBatch(frames, owner);
  await owner.release();
  await sequelize.query("update shardlink set enabled = true");
  await sequelize.query(
    `update ingest_sources set state = 'connected', plugin_connected = true,
       beat_at = clock_timestamp() + interval '1 hour'`,
  );
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
