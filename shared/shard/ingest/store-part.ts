import { type Cursor, type StreamFrame, speaksOfStream } from "../../platform/bridge/frames.ts";
import { cursorAfter } from "../../platform/bridge/socket/intake.ts";
import type { Context } from "../../platform/context.ts";
import { countChanged } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { type Ownership, OwnershipLost } from "../../platform/ingest/ownership.ts";
import { keepRejected } from "../../platform/ingest/rejected-frames.ts";
import { deleteRead, readUpTo } from "../../platform/plugin/inbox.ts";
import { orderMatching } from "../searches/changed-listings.ts";
import { applyStates } from "../states/apply.ts";
import { followBoot } from "../states/boot.ts";
import { markStale } from "../states/stale.ts";
import { feedOf, type MetReach } from "../states/state-event.ts";
import { announceEvents, isForEverybody, readIdocs } from "./announce-events.ts";
import { type CheckedEvent, checkFrames, concernsState } from "./checked-frames.ts";
import { insertEvents, type Insertion } from "./insert-events.ts";
import { tellGates } from "./tell-gates.ts";
import { unlinkDeleted } from "./unlink-deleted.ts";

/**
 * Stores a part of a batch, whole or not at all: events, what they make of the states, refused
 * frames, what is pushed and who waits for it, counts and the cursor; then one notification. None but
 * its first frame may speak of the stream itself or of another game process.
 * @returns the position it covers, if it has one
 */
export async function storePart(
  frames: readonly StreamFrame[],
  owner: Ownership,
  context: Pick<Context, "queue" | "log">,
): Promise<Cursor | null> {
  const checked = checkFrames(frames);
  const cursor = cursorAfter(frames);
  const part = { ...checked, cursor, frames };
  if (isPlain(part) && (await owner.use((connection) => storePlainly(owner, part, connection)))) {
    return cursor;
  }
  const write = async (connection: Sql): Promise<void> => {
    await markStale(owner.source, frames, connection);
    const inserted = await insertEvents(owner, { ...part, plainly: false }, connection);
    if (!inserted.owned) throw new OwnershipLost(owner.source);
    await countDuplicates(owner, checked.events.length - inserted.stored, connection);
    await keepRejected(owner.source, checked.rejected, connection);
    await followBoot(owner.source, frames[0], inserted.bootId, connection);
    const isNew = checked.events.flatMap((event) => {
      const id = inserted.ids.get(event.frame.seq);
      return id === undefined ? [] : [{ ...event, id }];
    });
    const idocs = await readIdocs(isNew, connection, context);
    const moving = isNew.filter(concernsState);
    const reached = await applyStates(owner.source, moving, connection);
    await writeReach(reached, connection);
    await unlinkDeleted(moving, connection, context);
    if (moving.some(movesMarket)) await orderMatching(connection, context);
    await announceEvents(isNew, { source: owner.source, idocs, connection, context });
    await tellGates(isNew, { source: owner.source, reached, connection, context });
    await deleteRead(owner.source, frames, connection);
  };
  await owner.useTransaction(write);
  return cursor;
}

const movesMarket = (event: CheckedEvent): boolean => feedOf(event)?.state === "market";

/** Whether one statement may store all, which needs no transaction around it. */
const isPlain = ({ frames, events, rejected }: Omit<Insertion, "plainly">): boolean =>
  rejected.length === 0 &&
  readUpTo(frames) === null &&
  !frames.some(speaksOfStream) &&
  !events.some((event) => concernsState(event) || isForEverybody(event));

/** @returns whether it did: not where somebody waits for one of the events */
async function storePlainly(
  owner: Ownership,
  part: Omit<Insertion, "plainly">,
  connection: Sql,
): Promise<boolean> {
  const inserted = await insertEvents(owner, { ...part, plainly: true }, connection);
  if (!inserted.owned) throw new OwnershipLost(owner.source);
  if (inserted.awaited) return false;
  await countDuplicates(owner, part.events.length - inserted.stored, connection);
  await followBoot(owner.source, part.frames[0], inserted.bootId, connection);
  return true;
}

async function countDuplicates(
  { source }: Ownership,
  duplicates: number,
  connection: Sql,
): Promise<void> {
  if (duplicates === 0) return;
  await countChanged(
    connection,
    "update ingest_sources set duplicates = duplicates + $2 where source = $1",
    [source, duplicates],
  );
}

/** Corrects the reach of events for which it rests on the state that they met. */
async function writeReach(reached: readonly MetReach[], connection: Sql): Promise<void> {
  if (reached.length === 0) return;
  const ids = reached.map(({ event }) => event.id);
  await countChanged(
    connection,
    // The least id keeps it from parts of the log before, which may be held to be changed.
    `update shard_events set reach = met.reach
     from unnest($1::bigint[], $2::text[]) as met (id, reach)
     where shard_events.id = met.id and shard_events.id >= $3 and shard_events.reach <> met.reach`,
    [ids, reached.map(({ reach }) => reach), Math.min(...ids)],
  );
}
