import type { Context } from "../../platform/context.ts";
import { countChanged } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Game, Part, StoredPart } from "../../platform/ingest/store-part.ts";
import { checkPayload } from "../kinds/kinds.ts";
import { orderMatching } from "../searches/changed-listings.ts";
import { applyStates } from "../states/apply.ts";
import { leaveBoot } from "../states/boot.ts";
import { markStale } from "../states/stale.ts";
import { feedOf, type MetReach, type StateEvent } from "../states/state-event.ts";
import { announceEvents } from "./announce-events.ts";
import { correctReach } from "./events.sql.ts";
import { concernsState, insertEvents } from "./insert-events.ts";
import { isForEverybody } from "./plain-news.ts";
import { readIdocs } from "./standing-idocs.ts";
import { tellGates } from "./tell-gates.ts";
import { unlinkDeleted } from "./unlink-deleted.ts";

/** The notifications of a part: its new events, and the reach that earlier states give them. */
interface ShardNews {
  readonly source: string;
  readonly events: readonly StateEvent[];
  /** Serials of houses that were in danger of collapse (IDOC) before the part. */
  readonly idocs: ReadonlySet<string>;
  readonly reached: readonly MetReach[];
}

/** The shard's kinds of events, live states and notifications. */
export const shardGame = (
  context: Pick<Context, "queue" | "log">,
): Game<StoredPart, ShardNews> => ({
  check: checkPayload,
  hasEffects: (event) => concernsState(event) || isForEverybody(event),
  cover: (frame) => frame,
  markStale,
  insert: insertEvents,
  leaveBoot,
  project: (part, stored, connection) => moveStates(part, stored, connection, context),
  tell: async ({ events, ...met }, connection) => {
    await announceEvents(events, { ...met, connection, context });
    await tellGates(events, { ...met, connection, context });
  },
});

/** Updates the live states with the new events of a part. */
async function moveStates(
  { events, owner: { source } }: Part,
  { ids }: StoredPart,
  connection: Sql,
  context: Pick<Context, "queue" | "log">,
): Promise<ShardNews> {
  const isNew = events.flatMap((event) => {
    const id = ids.get(event.frame.seq);
    return id === undefined ? [] : [{ ...event, id }];
  });
  const idocs = await readIdocs(isNew, connection, context);
  const moving = isNew.filter(concernsState);
  const reached = await applyStates(source, moving, connection);
  await writeReach(reached, connection);
  await unlinkDeleted(moving, connection, context);
  if (moving.some(movesMarket)) await orderMatching(connection, context);
  return { source, events: isNew, idocs, reached };
}

const movesMarket = (event: StateEvent): boolean => feedOf(event)?.state === "market";

async function writeReach(reached: readonly MetReach[], connection: Sql): Promise<void> {
  if (reached.length === 0) return;
  const ids = reached.map(({ event }) => event.id);
  const reaches = reached.map(({ reach }) => reach);
  await countChanged(connection, correctReach, [ids, reaches, Math.min(...ids)]);
}
