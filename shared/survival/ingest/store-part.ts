import {
  type Cursor,
  type StreamFrame,
  speaksOfStream,
  bootOf,
  isGone,
} from "../../platform/bridge/frames.ts";
import { cursorAfter } from "../../platform/bridge/socket/intake.ts";
import { countChanged } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { type Ownership, OwnershipLost } from "../../platform/ingest/ownership.ts";
import { keepRejected } from "../../platform/ingest/rejected-frames.ts";
import { deleteRead, readUpTo } from "../../platform/plugin/inbox.ts";
import { lastMoment } from "../kinds/fields.ts";
import type { Ground, TakenIn } from "../kinds/handler.ts";
import type { Notice } from "../kinds/notice.ts";
import { noticeOf } from "../notices/notices.ts";
import { tellNotices } from "../notices/tell.ts";
import { askForPush } from "../pushes/ask-for-push.ts";
import { pushNames } from "../pushes/push-kind.ts";
import { StorageRoom } from "../storage/room.ts";
import { type CheckedEvent, checkFrames, isHappening, withoutSecrets } from "./checked-frames.ts";
import { handlerOf } from "./handlers.ts";
import { insertEvents } from "./insert-events.ts";
import { markStale } from "./stale.ts";

/**
 * Stores a part of a batch of a survival server, whole or not at all: events, what they make of our
 * tables, refused frames, counts and the cursor. None but its first frame may speak of the stream
 * itself or of another game process.
 * @returns the position it covers, if it has one
 */
export async function storePart(
  frames: readonly StreamFrame[],
  owner: Ownership,
  server: { readonly serverId: number; readonly live: Ground["live"] },
  context: Ground["context"],
): Promise<Cursor | null> {
  const checked = checkFrames(frames);
  const cursor = cursorAfter(frames);
  const write = async (connection: Sql): Promise<void> => {
    await markStale(owner.source, frames, connection);
    const bounds = context.config.SURVIVAL_BOUNDS;
    const insertion = { ...checked, serverId: server.serverId, cursor, frames, bounds };
    const inserted = await insertEvents(owner, insertion, connection);
    if (!inserted.owned) throw new OwnershipLost(owner.source);
    const kept = [...checked.rejected, ...checked.shortened].map(withoutSecrets);
    await keepRejected(owner.source, kept, connection);
    const notices: Notice[] = [];
    const tell = (notice: Notice): void => void notices.push(notice);
    const room = new StorageRoom({ ...server, connection, bounds, kept: inserted.kept });
    const ground = { ...server, connection, context, room, fence: owner.fence, tell };
    await followBoot(owner.source, frames[0], inserted.bootId, ground);
    for (const event of checked.events) await handle(event, inserted.ids, ground);
    await askOnReturn(checked.events, ground);
    await tellNotices(notices, connection, context);
    await deleteRead(owner.source, frames, connection);
  };
  const refused = checked.rejected.length + checked.shortened.length;
  const isPlain = !frames.some(speaksOfStream) && refused === 0 && readUpTo(frames) === null;
  const isHandled = checked.events.some(
    ({ frame }) => handlerOf(frame.kind) !== undefined || noticeOf(frame.kind) !== undefined,
  );
  // Events that nothing more is made of are stored by one statement, which needs no transaction.
  await (isPlain && !isHandled ? owner.use(write) : owner.useTransaction(write));
  return cursor;
}

/** A game that is back may have lost what it was pushed, or missed what was decided meanwhile. */
async function askOnReturn(
  events: readonly CheckedEvent[],
  { serverId, connection, context }: Ground,
): Promise<void> {
  if (!events.some(({ frame }) => frame.kind === "server.hello")) return;
  const ask = { names: pushNames, serverIds: [serverId], reason: "hello" };
  await askForPush(ask, context, connection);
}

/** Hands on a state, and an event that was not stored before. */
async function handle(
  event: CheckedEvent,
  ids: ReadonlyMap<number, number>,
  ground: Ground,
): Promise<void> {
  const id = ids.get(event.frame.seq) ?? null;
  if (isHappening(event) && id === null) return;
  const taken = takenIn(event, id);
  await handlerOf(event.frame.kind)?.(taken, ground);
  const notice = noticeOf(event.frame.kind)?.(taken);
  if (notice) ground.tell({ ...notice, serverId: ground.serverId });
}

const takenIn = (
  { frame, payload, rowsLeftOut }: CheckedEvent,
  id: number | null,
): TakenIn<CheckedEvent["payload"]> => ({
  payload,
  rowsLeftOut,
  id,
  // A game's clock may be anything.
  t: Math.min(frame.t, lastMoment),
  bootId: frame.bootId,
  saveId: frame.saveId ?? null,
  eventKey: frame.eventKey,
  replay: frame.replay,
});

/**
 * Notes the game process that the first of a part's frames names. When it is another, or gone, nobody
 * is on the server any more.
 * @param known the game process as it was known before the part
 */
async function followBoot(
  source: string,
  first: StreamFrame | undefined,
  known: string | null,
  { serverId, connection }: Ground,
): Promise<void> {
  if (!first) return;
  const bootId = bootOf(first) ?? known;
  if (isGone(first) || (known !== null && bootId !== known)) {
    await countChanged(connection, emptied, [serverId]);
  }
  if (bootId === known) return;
  await countChanged(connection, "update ingest_sources set boot_id = $2 where source = $1", [
    source,
    bootId,
  ]);
}

const emptied = `
  with left_behind as (delete from survival_presence where server_id = $1)
  update survival_server_states set status = null, online_since = null where server_id = $1`;
