import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import {
  type Cursor,
  gameProcessOf,
  isProcessGone,
  isStreamStatusFrame,
  type RejectedFrame,
  type StreamFrame,
} from "../bridge/frames.ts";
import { executeStatement, firstRow } from "../db/rows.ts";
import type { SqlClient } from "../db/sql.ts";
import { deleteStoredCalls, findLastInboxId } from "../plugin/inbox.ts";
import { maskSecretText } from "../secret-texts/secret-forms.ts";
import {
  type CheckedEvent,
  type CheckedFrames,
  checkFrames,
  type PayloadCheck,
} from "./check-frames.ts";
import { type SourceOwnership, OwnershipLostError } from "./ownership.ts";
import { selectStreamSql, storeBootSql } from "./sources.sql.ts";

export interface FrameBatch extends CheckedFrames {
  readonly frames: readonly StreamFrame[];
  readonly owner: SourceOwnership;
  /** True if the insert statement runs alone, without a surrounding transaction. */
  readonly isPlain: boolean;
}

/** A batch of frames whose events are stored. */
export interface StoredBatch extends FrameBatch {
  /** Ids of new events by `seq`, for the events whose ids the game needs. */
  readonly ids: ReadonlyMap<number, number>;
}

/** The row that the insert statement of a game returns. */
export interface FrameInsertResult extends Pick<IngestSource, "bootId"> {
  /** 1 if the process owns the source. Otherwise 0, and nothing was written. */
  readonly owned: number;
  /** True if the events of the part need a transaction after all, in which case nothing was written. */
  readonly awaited: boolean;
  /** The ids of new events, in the order of `seqs`; null if the game needs no ids. */
  readonly ids: readonly number[] | null;
  readonly seqs: readonly number[] | null;
}

/** A change from the stored game process to another one or to none. */
export interface GameProcessChange {
  readonly source: string;
  readonly bootId: string | null;
  /** True if another game process is running; false if the game process has ended. */
  readonly isOther: boolean;
}

/** The code for one game's frames: its kinds, its tables and its notifications. */
export interface GameHandlers<Stored extends FrameInsertResult, Notifications> {
  readonly check: PayloadCheck;
  /** Returns true if the frames of `part` must be stored before this frame. */
  startsNewPart?(this: void, frame: StreamFrame, part: readonly StreamFrame[]): boolean;
  /** Returns true if an event changes other rows in addition to its own. */
  hasEffects(this: void, event: CheckedEvent): boolean;
  /** Masks the parts of a rejected frame that must not be stored. */
  maskFrame(this: void, frame: RejectedFrame): RejectedFrame;
  /** Marks as outdated the states that a lost event may have changed. */
  markStale(this: void, source: string, connection: SqlClient): Promise<void>;
  /** Stores events, cursor and counts with one statement, which first checks the fence. */
  insert(this: void, part: FrameBatch, connection: SqlClient): Promise<Stored | undefined>;
  /** Stores the game process and deletes the states of the former one, with one statement. */
  replaceBoot(this: void, change: GameProcessChange, connection: SqlClient): Promise<void>;
  /** Updates the game's tables with the new events. @returns the notifications for other modules */
  project(
    this: void,
    part: StoredBatch,
    stored: Stored,
    connection: SqlClient,
  ): Promise<Notifications>;
  /** Notifies other modules. Runs last, because it locks rows that other transactions wait for. */
  notifyDomains(this: void, news: Notifications, connection: SqlClient): Promise<void>;
}

/** The handlers of any game, for code that does not use the game's own rows and notifications. */
export type AnyGameHandlers = GameHandlers<FrameInsertResult, unknown>;

/**
 * Stores all frames of a part or none, updates the game's tables and sends notifications. Only the first
 * frame may be about the stream itself or name another game process.
 * @returns the position after the part; null if no frame has one
 * @throws {OwnershipLostError} if another process has taken over
 */
export async function storeFramesAtomically(
  frames: readonly StreamFrame[],
  owner: SourceOwnership,
  game: AnyGameHandlers,
): Promise<Cursor | null> {
  const part = { ...checkFrames(frames, game.check), frames, owner };
  if (isSingleStatement(part, game)) {
    const plain = { ...part, isPlain: true };
    const { awaited } = await owner.run((connection) => store(plain, game, connection));
    if (!awaited) return part.cursor;
  }
  await owner.runTransaction(async (connection) => {
    const whole = { ...part, isPlain: false };
    if (await mayHaveLostEvents(whole, connection)) await game.markStale(owner.source, connection);
    const stored = await store(whole, game, connection);
    const refused = [...part.rejected, ...part.shortened].map(game.maskFrame);
    await storeRejectedFrames(owner.source, refused, connection);
    const ids = new Map(stored.seqs?.map((seq, at) => [seq, stored.ids?.[at] ?? 0]));
    const news = await game.project({ ...whole, ids }, stored, connection);
    await game.notifyDomains(news, connection);
    await deleteStoredCalls(owner.source, frames, connection);
  });
  return part.cursor;
}

/** True if one statement can store the whole part, so that it needs no transaction. */
const isSingleStatement = (
  { frames, events, rejected, shortened }: Omit<FrameBatch, "isPlain">,
  { hasEffects }: AnyGameHandlers,
): boolean =>
  rejected.length + shortened.length === 0 &&
  findLastInboxId(frames) === null &&
  !frames.some(isStreamStatusFrame) &&
  !events.some(hasEffects);

/** Stores events and game process of a part. @throws {OwnershipLostError} if another process took over */
async function store(
  part: FrameBatch,
  game: AnyGameHandlers,
  connection: SqlClient,
): Promise<FrameInsertResult> {
  const stored = await game.insert(part, connection);
  const { source } = part.owner;
  if (!stored?.owned) throw new OwnershipLostError(source);
  const [first] = part.frames;
  if (stored.awaited || !first) return stored;
  const known = stored.bootId;
  const bootId = gameProcessOf(first) ?? known;
  const isOther = known !== null && bootId !== known;
  if (isOther || isProcessGone(first)) {
    await game.replaceBoot({ source, bootId, isOther }, connection);
  } else if (bootId !== known) await executeStatement(connection, storeBootSql, [source, bootId]);
  return stored;
}

/** Returns true if events may have been lost: after a gap, or if the buffer or the game process changed. */
async function mayHaveLostEvents(
  { frames, owner }: FrameBatch,
  connection: SqlClient,
): Promise<boolean> {
  if (frames.some((frame) => frame.type === "gap")) return true;
  if (frames.some((frame) => frame.type === "plugin" && frame.connected)) return true;
  const hello = frames.find((frame) => frame.type === "hello");
  if (!hello) return false;
  const known = await firstRow<KnownStream>(connection, selectStreamSql, [owner.source]);
  return hello.epoch !== known?.epoch || (hello.bootId !== null && hello.bootId !== known.bootId);
}

type KnownStream = Pick<IngestSource, "epoch" | "bootId">;

/** Maximum number of rejected frames that are stored per source. */
const maxStoredFrames = 1_000;

/** Stores the newest rejected frames with their reason and first characters. Secrets are masked. */
async function storeRejectedFrames(
  source: string,
  frames: readonly RejectedFrame[],
  connection: SqlClient,
): Promise<void> {
  if (frames.length === 0) return;
  const newest = frames.slice(-maxStoredFrames);
  await executeStatement(
    connection,
    `insert into rejected_frames (source, reason, kind, excerpt, detail)
     select $1, given.reason, given.kind, given.excerpt, given.detail
     from unnest($2::text[], $3::text[], $4::text[], $5::text[])
       as given (reason, kind, excerpt, detail)`,
    [
      source,
      newest.map(({ reason }) => reason),
      newest.map(({ kind }) => kind),
      newest.map(({ excerpt }) => maskSecretText(excerpt)),
      newest.map(({ detail }) => (detail === undefined ? null : maskSecretText(detail))),
    ],
  );
  await executeStatement(
    connection,
    `delete from rejected_frames where source = $1 and id <= (
       select id from rejected_frames where source = $1 order by id desc offset $2 limit 1)`,
    [source, maxStoredFrames],
  );
}
