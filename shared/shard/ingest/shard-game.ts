import type { Context } from "../../platform/context.ts";
import { countChanged } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { GameHandlers, StoredBatch, StoredPartRow } from "../../platform/ingest/store-part.ts";
import { checkPayload } from "../kinds/kinds.ts";
import { enqueueMatching } from "../searches/changed-listings.ts";
import { applyStates } from "../states/apply.ts";
import { switchGameProcess } from "../states/game-process.ts";
import { markStatesStale } from "../states/stale.ts";
import { findStateEffect, type StateEventReach, type StateEvent } from "../states/state-event.ts";
import { announceEvents } from "./announce-events.ts";
import { isPushedToAll, usesLiveState } from "./event-row.ts";
import { updateEventReachSql } from "./events.sql.ts";
import { insertEvents } from "./insert-events.ts";
import { notifyGates } from "./notify-gates.ts";
import { readIdocSerials } from "./read-idocs.ts";
import { startsNewPart } from "./starts-new-part.ts";
import { removeLinksOfDeletedUsers } from "./unlink-deleted.ts";

/** The data for notifications: the new events, and who may see those that depend on earlier states. */
interface ShardNotifications {
  readonly source: string;
  readonly events: readonly StateEvent[];
  /** The serials of houses that were in danger of collapse (IDOC) before these events. */
  readonly idocs: ReadonlySet<string>;
  readonly reached: readonly StateEventReach[];
}

/** Returns how ingest checks, stores and announces the events of the shard. */
export const shardHandlers = (
  context: Pick<Context, "queue" | "log">,
): GameHandlers<StoredPartRow, ShardNotifications> => ({
  check: checkPayload,
  startsNewPart,
  hasEffects: (event) => usesLiveState(event) || isPushedToAll(event),
  maskFrame: (frame) => frame,
  markStale: markStatesStale,
  insert: insertEvents,
  replaceBoot: switchGameProcess,
  project: (part, _stored, connection) => updateStates(part, connection, context),
  notifyDomains: async ({ events, ...met }, connection) => {
    await announceEvents(events, { ...met, connection, context });
    await notifyGates(events, { ...met, connection, context });
  },
});

/** Updates the live states with the new events of one transaction. */
async function updateStates(
  { events, ids, owner: { source } }: StoredBatch,
  connection: SqlClient,
  context: Pick<Context, "queue" | "log">,
): Promise<ShardNotifications> {
  const isNew = events.flatMap((event) => {
    const id = ids.get(event.frame.seq);
    return id === undefined ? [] : [{ ...event, id }];
  });
  const idocs = await readIdocSerials(isNew, connection, context);
  const moving = isNew.filter(usesLiveState);
  const correctedReaches = await applyStates(source, moving, connection);
  await storeReaches(correctedReaches, connection);
  await removeLinksOfDeletedUsers(moving, connection, context);
  if (moving.some(changesMarket)) await enqueueMatching(connection, context);
  return { source, events: isNew, idocs, reached: correctedReaches };
}

const changesMarket = (event: StateEvent): boolean => findStateEffect(event)?.state === "market";

async function storeReaches(
  correctedReaches: readonly StateEventReach[],
  connection: SqlClient,
): Promise<void> {
  if (correctedReaches.length === 0) return;
  const ids = correctedReaches.map(({ event }) => event.id);
  const reaches = correctedReaches.map(({ reach }) => reach);
  await countChanged(connection, updateEventReachSql, [ids, reaches, Math.min(...ids)]);
}
