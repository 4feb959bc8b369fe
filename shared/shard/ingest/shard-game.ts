import type { House } from "../../../models/shard/house.ts";
import type { StreamFrame } from "../../platform/bridge/frames.ts";
import type { Context } from "../../platform/context.ts";
import { executeStatement, rows } from "../../platform/db/rows.ts";
import { inSavepoint } from "../../platform/db/savepoint.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import { storeBootSql } from "../../platform/ingest/sources.sql.ts";
import type {
  GameHandlers,
  GameProcessChange,
  StoredBatch,
  FrameInsertResult,
} from "../../platform/ingest/store-part.ts";
import { checkPayload, findShardKind } from "../kinds/kinds.ts";
import { findLiveStates } from "../kinds/live-states.ts";
import { enqueueUnlinking } from "../links/unlinking.ts";
import { enqueueMatching } from "../searches/changed-listings.ts";
import { applyStateEvents } from "../states/apply.ts";
import { stateHandlers } from "../states/handlers.ts";
import { markStatesStale, statesFromSnapshots } from "../states/stale.ts";
import { findStateEffect, type StateEvent, type StateEventReach } from "../states/state-event.ts";
import { readPayloadAccountKey } from "./account-owners.ts";
import { announceEvents } from "./announce-events.ts";
import { isPushedToAll, usesLiveState } from "./event-row.ts";
import { updateEventReachSql } from "./events.sql.ts";
import { insertEvents } from "./insert-events.ts";
import { notifyGates } from "./notify-gates.ts";

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
): GameHandlers<FrameInsertResult, ShardNotifications> => ({
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
  const correctedReaches = await applyStateEvents(source, moving, connection);
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
  await executeStatement(connection, updateEventReachSql, [ids, reaches, Math.min(...ids)]);
}

/**
 * Removes links that the shard created after their user was deleted here. If this fails, only this step is rolled
 * back and the error is logged: ingest must not fail, and the next list of links contains the links again.
 */
async function removeLinksOfDeletedUsers(
  events: readonly StateEvent[],
  connection: SqlClient,
  { queue, log }: Pick<Context, "queue" | "log">,
): Promise<void> {
  const links = events.flatMap((event) => {
    const { state, as } = findStateEffect(event) ?? {};
    const { webId: userId } = event.payload;
    return state === "links" && as !== "remove" && typeof userId === "number" ? [{ userId }] : [];
  });
  if (links.length === 0) return;
  try {
    await inSavepoint(connection, () => enqueueUnlinking(links, connection, { queue }));
  } catch (error) {
    log.error({ err: error }, "the removal of links to deleted users could not be enqueued");
  }
}

/**
 * Returns true if an event must be stored in a new transaction. Announcements use the links as they are after all
 * events of a transaction, and the houses as they were before the first event. An event therefore starts a new
 * transaction if it changes the link of an account whose owner an earlier event may notify, or if its own
 * announcement depends on a house and an earlier event changes houses.
 * @param part the events before it in the current transaction
 */
function startsNewPart(frame: StreamFrame, part: readonly StreamFrame[]): boolean {
  if (frame.type !== "event") return false;
  const { feeds, push } = findShardKind(frame.kind) ?? {};
  if (feeds?.state === "links") {
    const moved = readPayloadAccountKey(frame.payload, "acct");
    return moved !== null && part.some((earlier) => notifiedAccount(earlier) === moved);
  }
  if (push?.needsFacts?.(frame.payload) !== true) return false;
  return part.some((earlier) => changedState(earlier) === feeds?.state);
}

/** Returns the account whose owner a frame may notify. */
function notifiedAccount(frame: StreamFrame): string | null {
  if (frame.type !== "event") return null;
  const personal = findShardKind(frame.kind)?.push?.personal;
  return personal ? readPayloadAccountKey(frame.payload, personal.owner) : null;
}

const changedState = (frame: StreamFrame) =>
  frame.type === "event" ? findShardKind(frame.kind)?.feeds?.state : undefined;

/**
 * Stores the id of the new game process and empties the states that end with the old one. If the process
 * changed, snapshots of the old process are stale, even those that are sent again after the hello.
 */
async function switchGameProcess(
  { source, bootId, isOther }: GameProcessChange,
  connection: SqlClient,
): Promise<void> {
  if (isOther) {
    await executeStatement(connection, switchBootSql, [source, bootId, statesFromSnapshots]);
  } else await executeStatement(connection, storeBootAndClearSql, [source, bootId]);
}

// Combine all changes in one statement, so that they are atomic even if plain events are stored without a
// transaction.
const cleared = clearStatements().map((statement, at) => `cleared_${at} as (${statement})`);
const storeBootAndClearSql = `with ${cleared.join(", ")} ${storeBootSql}`;
const switchBootSql = `
  with ${cleared.join(", ")}, forgotten as (delete from snapshots where source = $1)
  update ingest_sources set boot_id = $2, stale = $3 where source = $1`;

function clearStatements(): string[] {
  return findLiveStates(({ diesWithBoot }) => diesWithBoot).flatMap((name) => {
    const { clear } = stateHandlers[name];
    if (!clear) {
      throw new Error(
        `the state ${name} ends with the game process, but has no statement that clears it`,
      );
    }
    return clear;
  });
}

/**
 * Reads the serials of houses that are in danger of collapse (IDOC), before the given events change them. If
 * the query fails, it returns all houses of the events, so that no house is announced twice and the events are
 * still stored.
 */
export async function readIdocSerials(
  events: readonly Pick<CheckedEvent, "frame" | "payload">[],
  connection: SqlClient,
  { log }: Pick<Context, "log">,
): Promise<ReadonlySet<string>> {
  const asking = events.filter(
    ({ frame, payload }) => findShardKind(frame.kind)?.push?.needsFacts?.(payload) === true,
  );
  if (asking.length === 0) return new Set();
  const asked = asking.map(({ payload }) => String(payload["serial"]));
  try {
    const found = await inSavepoint(connection, () =>
      rows<Pick<House, "serial">>(connection, selectIdocs, [asked]),
    );
    return new Set(found.map(({ serial }) => serial));
  } catch (error) {
    log.error(
      { err: error },
      "stored houses could not be read: houses in danger of collapsing are not announced",
    );
    return new Set(asked);
  }
}

const selectIdocs = "select serial from houses where serial = any($1) and stage = 'IDOC'";
