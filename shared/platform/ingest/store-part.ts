import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import {
  type Cursor,
  type RejectedFrame,
  type StreamFrame,
  gameProcessOf,
  isProcessGone,
  isStreamFrame,
} from "../bridge/frames.ts";
import { findLastCursor } from "../bridge/socket/intake.ts";
import { countChanged, firstRow } from "../db/rows.ts";
import type { SqlClient } from "../db/sql.ts";
import { deleteStoredCalls, lastInboxId } from "../plugin/inbox.ts";
import {
  type CheckedEvent,
  checkFrames,
  type CheckedFrames,
  type PayloadCheck,
} from "./check-frames.ts";
import { type Ownership, OwnershipLost } from "./ownership.ts";
import { storeRejectedFrames } from "./rejected-frames.ts";
import { storeBootSql, selectStream } from "./sources.sql.ts";

export interface FrameBatch extends CheckedFrames {
  readonly frames: readonly StreamFrame[];
  /** The position after the frames; null if no frame has one. */
  readonly cursor: Cursor | null;
  readonly owner: Ownership;
  /** True if the insert statement runs without a surrounding transaction. */
  readonly isPlain: boolean;
}

export interface StoredFrames {
  /** False if another process owns the source. In that case nothing was written. */
  readonly owned: boolean;
  /** True if the events of the part need a transaction after all. In that case nothing was written. */
  readonly awaited: boolean;
  /** The game process that was stored before this part. */
  readonly bootId: string | null;
  /** Ids of new events by `seq`, for the events whose ids the game needs. */
  readonly ids: ReadonlyMap<number, number>;
}

export interface StoredPartRow extends Pick<IngestSource, "bootId"> {
  /** 1 if the process owns the source; otherwise 0. */
  readonly owned: number;
  readonly awaited: boolean;
  readonly ids: readonly number[] | null;
  readonly seqs: readonly number[] | null;
}

export function toStoredFrames(row: StoredPartRow | undefined): StoredFrames {
  const { owned = 0, awaited = false, bootId = null, ids, seqs } = row ?? {};
  const idBySeq = (seqs ?? []).map((seq, at) => [seq, ids?.[at] ?? 0] as const);
  return { owned: owned > 0, awaited, bootId, ids: new Map(idBySeq) };
}

/** A change from the stored game process to another one or to none. */
export interface ProcessChange {
  readonly source: string;
  readonly bootId: string | null;
  /** True if another game process is running; false if the game process has ended. */
  readonly isOther: boolean;
}

/** The code for one game's frames: its kinds, its tables and its notifications. */
export interface GameHandlers<Stored extends StoredFrames, Notifications> {
  readonly check: PayloadCheck;
  /** Returns true if an event changes other rows in addition to its own. */
  hasEffects(this: void, event: CheckedEvent): boolean;
  /** Masks the parts of a rejected frame that must not be stored. */
  maskFrame(this: void, frame: RejectedFrame): RejectedFrame;
  /** Marks the states as outdated that a lost event may have changed. */
  markStale(this: void, source: string, connection: SqlClient): Promise<void>;
  /** Stores events, cursor and counts with one statement, which first checks the fence. */
  insert(this: void, part: FrameBatch, connection: SqlClient): Promise<Stored>;
  /** Stores the game process and deletes the states of the former one, with one statement. */
  replaceBoot(this: void, change: ProcessChange, connection: SqlClient): Promise<void>;
  /** Updates the game's tables with the new events. @returns the notifications for other modules */
  project(
    this: void,
    part: FrameBatch,
    stored: Stored,
    connection: SqlClient,
  ): Promise<Notifications>;
  /** Notifies other modules. Runs last, because it locks rows that other transactions wait for. */
  notifyDomains(this: void, news: Notifications, connection: SqlClient): Promise<void>;
}

/**
 * Stores all frames of a part or none, updates the game's tables and sends notifications. Only the first
 * frame may be about the stream itself or name another game process.
 * @returns the position after the part; null if no frame has one
 */
export async function storePart<Stored extends StoredFrames, Notifications>(
  frames: readonly StreamFrame[],
  owner: Ownership,
  game: GameHandlers<Stored, Notifications>,
): Promise<Cursor | null> {
  const cursor = findLastCursor(frames);
  const part = { ...checkFrames(frames, game.check), frames, cursor, owner };
  if (isSingleStatement(part, game)) {
    const plain = { ...part, isPlain: true };
    const { awaited } = await owner.run((connection) => store(plain, game, connection));
    if (!awaited) return cursor;
  }
  await owner.runTransaction(async (connection) => {
    const whole = { ...part, isPlain: false };
    if (await mayHaveLostEvents(whole, connection)) await game.markStale(owner.source, connection);
    const stored = await store(whole, game, connection);
    const refused = [...part.rejected, ...part.shortened].map(game.maskFrame);
    await storeRejectedFrames(owner.source, refused, connection);
    const news = await game.project(whole, stored, connection);
    await game.notifyDomains(news, connection);
    await deleteStoredCalls(owner.source, frames, connection);
  });
  return cursor;
}

type AnyGame<Stored extends StoredFrames> = Pick<
  GameHandlers<Stored, unknown>,
  "hasEffects" | "insert" | "replaceBoot"
>;

/** True if one statement can store the whole part, so that it needs no transaction. */
const isSingleStatement = (
  { frames, events, rejected, shortened }: Omit<FrameBatch, "isPlain">,
  { hasEffects }: AnyGame<StoredFrames>,
): boolean =>
  rejected.length + shortened.length === 0 &&
  lastInboxId(frames) === null &&
  !frames.some(isStreamFrame) &&
  !events.some(hasEffects);

/** Stores events and game process of a part. @throws {OwnershipLost} if another process took over */
async function store<Stored extends StoredFrames>(
  part: FrameBatch,
  game: AnyGame<Stored>,
  connection: SqlClient,
): Promise<Stored> {
  const stored = await game.insert(part, connection);
  const { source } = part.owner;
  if (!stored.owned) throw new OwnershipLost(source);
  const [first] = part.frames;
  if (stored.awaited || !first) return stored;
  const known = stored.bootId;
  const bootId = gameProcessOf(first) ?? known;
  const isOther = known !== null && bootId !== known;
  if (isOther || isProcessGone(first)) {
    await game.replaceBoot({ source, bootId, isOther }, connection);
  } else if (bootId !== known) await countChanged(connection, storeBootSql, [source, bootId]);
  return stored;
}

/** Returns true if events may be lost: after a gap, or with another buffer or game process. */
async function mayHaveLostEvents(
  { frames, owner }: FrameBatch,
  connection: SqlClient,
): Promise<boolean> {
  if (frames.some((frame) => frame.type === "gap")) return true;
  if (frames.some((frame) => frame.type === "plugin" && frame.connected)) return true;
  const hello = frames.find((frame) => frame.type === "hello");
  if (!hello) return false;
  const known = await firstRow<KnownStream>(connection, selectStream, [owner.source]);
  return hello.epoch !== known?.epoch || (hello.bootId !== null && hello.bootId !== known.bootId);
}

type KnownStream = Pick<IngestSource, "epoch" | "bootId">;
