import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import {
  type Cursor,
  type RejectedFrame,
  type StreamFrame,
  bootOf,
  isGone,
  speaksOfStream,
} from "../bridge/frames.ts";
import { cursorAfter } from "../bridge/socket/intake.ts";
import { countChanged, firstRow } from "../db/rows.ts";
import type { Sql } from "../db/sql.ts";
import { deleteRead, readUpTo } from "../plugin/inbox.ts";
import {
  type CheckedEvent,
  checkFrames,
  type CheckedFrames,
  type PayloadCheck,
} from "./check-frames.ts";
import { type Ownership, OwnershipLost } from "./ownership.ts";
import { keepRejected } from "./rejected-frames.ts";
import { noteBoot, selectStream } from "./sources.sql.ts";

/** Frames that are stored together. */
export interface Part extends CheckedFrames {
  readonly frames: readonly StreamFrame[];
  /** The position after the frames; null when none of them had one. */
  readonly cursor: Cursor | null;
  readonly owner: Ownership;
  /** Whether the insert statement runs alone, without a transaction around it. */
  readonly isPlain: boolean;
}

/** What became of the events of a part. */
export interface StoredPart {
  /** False when another process owns the source: nothing was written. */
  readonly owned: boolean;
  /** Whether the events of a plain part need a transaction after all: nothing was written. */
  readonly awaited: boolean;
  /** The game process that was known before. */
  readonly bootId: string | null;
  /** The ids of new events by their seq, as far as the game asks for them. */
  readonly ids: ReadonlyMap<number, number>;
}

/** The row that an insert statement answers. */
export interface StoredRow extends Pick<IngestSource, "bootId"> {
  /** How many sources the process owns by this name: one or none. */
  readonly owned: number;
  readonly awaited: boolean;
  readonly ids: readonly number[] | null;
  readonly seqs: readonly number[] | null;
}

export function storedPartOf(row: StoredRow | undefined): StoredPart {
  const { owned = 0, awaited = false, bootId = null, ids, seqs } = row ?? {};
  const idBySeq = (seqs ?? []).map((seq, at) => [seq, ids?.[at] ?? 0] as const);
  return { owned: owned > 0, awaited, bootId, ids: new Map(idBySeq) };
}

/** Another game process, or none, after the one that was known. */
export interface BootChange {
  readonly source: string;
  readonly bootId: string | null;
  /** Whether it is another one; otherwise the game process is gone. */
  readonly isOther: boolean;
}

/** What a game makes of its frames: its kinds, its tables, and what it tells. */
export interface Game<Stored extends StoredPart, News> {
  readonly check: PayloadCheck;
  /** Whether more is made of an event than its row. */
  hasEffects(this: void, event: CheckedEvent): boolean;
  /** A refused frame without what must not be kept of it. */
  cover(this: void, frame: RejectedFrame): RejectedFrame;
  /** Marks the states that a lost event makes doubtful. */
  markStale(this: void, source: string, connection: Sql): Promise<void>;
  /** Stores events, the cursor and the counts with one statement, which checks the fence first. */
  insert(this: void, part: Part, connection: Sql): Promise<Stored>;
  /** Notes the game process and empties what ended with the former one, with one statement. */
  leaveBoot(this: void, change: BootChange, connection: Sql): Promise<void>;
  /** Moves the game's tables by the new events. @returns what is to be told of it */
  project(this: void, part: Part, stored: Stored, connection: Sql): Promise<News>;
  /** Tells other domains. It comes last, because it locks rows that others wait for. */
  tell(this: void, news: News, connection: Sql): Promise<void>;
}

/**
 * Stores a part of a batch, whole or not at all: check, store, project, tell. Only its first frame may
 * speak of the stream itself or of another game process.
 * @returns the position that the part covers, if it has one
 */
export async function storePart<Stored extends StoredPart, News>(
  frames: readonly StreamFrame[],
  owner: Ownership,
  game: Game<Stored, News>,
): Promise<Cursor | null> {
  const cursor = cursorAfter(frames);
  const part = { ...checkFrames(frames, game.check), frames, cursor, owner };
  if (isPlain(part, game)) {
    const plain = { ...part, isPlain: true };
    const { awaited } = await owner.use((connection) => store(plain, game, connection));
    if (!awaited) return cursor;
  }
  await owner.useTransaction(async (connection) => {
    const whole = { ...part, isPlain: false };
    if (await isDoubtful(whole, connection)) await game.markStale(owner.source, connection);
    const stored = await store(whole, game, connection);
    const refused = [...part.rejected, ...part.shortened].map(game.cover);
    await keepRejected(owner.source, refused, connection);
    const news = await game.project(whole, stored, connection);
    await game.tell(news, connection);
    await deleteRead(owner.source, frames, connection);
  });
  return cursor;
}

type AnyGame<Stored extends StoredPart> = Pick<
  Game<Stored, unknown>,
  "hasEffects" | "insert" | "leaveBoot"
>;

/** Whether one statement may store all, which needs no transaction around it. */
const isPlain = (
  { frames, events, rejected, shortened }: Omit<Part, "isPlain">,
  { hasEffects }: AnyGame<StoredPart>,
): boolean =>
  rejected.length + shortened.length === 0 &&
  readUpTo(frames) === null &&
  !frames.some(speaksOfStream) &&
  !events.some(hasEffects);

/**
 * Inserts a part and notes the game process that its first frame names.
 * @throws {OwnershipLost} when another process has taken over
 */
async function store<Stored extends StoredPart>(
  part: Part,
  game: AnyGame<Stored>,
  connection: Sql,
): Promise<Stored> {
  const stored = await game.insert(part, connection);
  const { source } = part.owner;
  if (!stored.owned) throw new OwnershipLost(source);
  const [first] = part.frames;
  if (stored.awaited || !first) return stored;
  const known = stored.bootId;
  const bootId = bootOf(first) ?? known;
  const isOther = known !== null && bootId !== known;
  if (isOther || isGone(first)) await game.leaveBoot({ source, bootId, isOther }, connection);
  else if (bootId !== known) await countChanged(connection, noteBoot, [source, bootId]);
  return stored;
}

/** Whether frames say that events were lost, or may have been: a gap, another buffer or process. */
async function isDoubtful({ frames, owner }: Part, connection: Sql): Promise<boolean> {
  if (frames.some((frame) => frame.type === "gap")) return true;
  if (frames.some((frame) => frame.type === "plugin" && frame.connected)) return true;
  const hello = frames.find((frame) => frame.type === "hello");
  if (!hello) return false;
  const known = await firstRow<KnownStream>(connection, selectStream, [owner.source]);
  return hello.epoch !== known?.epoch || (hello.bootId !== null && hello.bootId !== known.bootId);
}

type KnownStream = Pick<IngestSource, "epoch" | "bootId">;
