import { limits } from "../limits.ts";
import { isPlainText } from "../texts/plain-text.ts";
import type {
  EventFrame,
  Frame,
  GapFrame,
  HelloFrame,
  ReplayEndFrame,
  PluginFrame,
  RejectedFrame,
  RejectReason,
} from "./frames.ts";
import {
  replaceUnstorableCharacters,
  hasUnstorableCharacters,
  isObject,
  type JsonObject,
  mayNestDeeper,
  nestsDeeper,
  parseDeepObject,
  toStorableText,
} from "./json-text.ts";

export interface FrameBounds {
  /** Maximum size of a frame's text in bytes. */
  readonly maxBytes: number;
  /** Maximum nesting of arrays and objects in an event's payload. */
  readonly depth: number;
}

export const frameBounds: FrameBounds = { maxBytes: 256 * 1024, depth: limits.jsonDepth };

/** Reads one frame from the text of a sidecar. Never throws; an invalid frame becomes `rejected`. */
export function readFrame(data: string | Buffer, bounds: FrameBounds = frameBounds): Frame {
  const text = typeof data === "string" ? data.toWellFormed() : data.toString();
  const parsed = parseDeepObject(text);
  if (!parsed) return reject("json", text);
  // Keep the position of a frame that is too large or too deep, so that the cursor can move past the frame.
  if (Buffer.byteLength(data) > bounds.maxBytes) return reject("size", text, parsed);
  // The payload is one level deeper than its frame.
  if (mayNestDeeper(text, bounds.depth + 1) && nestsDeeper(parsed, bounds.depth + 1)) {
    return reject("depth", text, parsed);
  }
  const frame = hasUnstorableCharacters(text) ? replaceUnstorableCharacters(parsed) : parsed;
  return frame["type"] === "event" ? readEvent(frame, text) : readControlFrame(frame, text);
}

/** Properties that all events of one plugin call share. */
export interface EventBatch {
  readonly epoch: string;
  /** The id of the game process, for events that have no `bootId`. */
  readonly bootId: string;
  /** Events up to this `seq` count as replayed. Usually the plugin's newest event at its hello. */
  readonly head: number;
  /** True if the call exceeds the size limit of one event, so that the size of each event must be checked. */
  readonly mayHoldLarge: boolean;
  /** True if the call contains a NUL or a lone surrogate. */
  readonly holdsUnstorable: boolean;
}

/** Reads one event of a plugin's call, whose `seq` was already checked. Never throws. */
export function readBatchEvent(
  sent: JsonObject,
  { epoch, bootId, head, mayHoldLarge, holdsUnstorable: isUnstorable }: EventBatch,
  bounds: FrameBounds = frameBounds,
): EventFrame | RejectedFrame {
  // Check the depth first: the code below recurses once per level.
  if (nestsDeeper(sent, bounds.depth + 1)) {
    const flat = replaceUnstorableCharacters(dropNested(sent));
    return reject("depth", JSON.stringify(flat), { ...flat, epoch });
  }
  const event = isUnstorable ? replaceUnstorableCharacters(sent) : sent;
  const named = event["bootId"] === undefined ? bootId : event["bootId"];
  const replay = Number(event["seq"]) <= head;
  const frame = { ...event, type: "event", epoch, bootId: named, replay };
  const fault = (reason: RejectReason) => reject(reason, JSON.stringify(event), frame);
  if (mayHoldLarge && Buffer.byteLength(JSON.stringify(event)) > bounds.maxBytes) {
    return fault("size");
  }
  const read = readEvent(frame, "");
  return read.type === "rejected" ? fault(read.reason) : read;
}

const dropNested = (event: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => typeof value !== "object"));

/**
 * Returns the `rejected` frame of an event that was read as valid and then refused.
 * @param detail the exact fault
 */
export function toRejectedFrame(
  event: EventFrame,
  reason: RejectReason,
  detail?: string,
): RejectedFrame {
  const rejected = reject(reason, JSON.stringify(event), { ...event });
  return detail === undefined ? rejected : { ...rejected, detail: excerptOf(detail) };
}

/** Reads a frame that is not an event: it concerns the stream or the game process. */
function readControlFrame(frame: JsonObject, text: string): Frame {
  switch (frame["type"]) {
    case "hello":
      return readHello(frame) ?? reject("hello", text);
    case "live":
      return readLive(frame) ?? reject("live", text);
    case "gap":
      return readGap(frame) ?? reject("gap", text);
    case "plugin":
      return readPlugin(frame) ?? reject("plugin", text);
    default:
      return typeof frame["type"] === "string" ? { type: "ignored" } : reject("type", text, frame);
  }
}

function readEvent(frame: JsonObject, text: string): EventFrame | RejectedFrame {
  const { kind, t, payload, seq } = frame;
  const epoch = readEpoch(frame["epoch"]);
  const bootId = readBootId(frame["bootId"]);
  const eventKey = readKey(frame["eventKey"], 256);
  if (epoch === undefined || !isCount(seq)) return reject("cursor", text, frame);
  if (!isKind(kind)) return reject("kind", text, frame);
  if (!isTime(t)) return reject("t", text, frame);
  if (bootId === undefined) return reject("bootId", text, frame);
  if (eventKey === undefined) return reject("eventKey", text, frame);
  if (!isObject(payload)) return reject("payload", text, frame);
  const replay = frame["replay"] === true;
  const read = { type: "event", epoch, seq, bootId, eventKey, kind, t, replay, payload } as const;
  return isCount(frame["saveId"]) ? { ...read, saveId: frame["saveId"] } : read;
}

function readHello(frame: JsonObject): HelloFrame | undefined {
  const { protocol, head, oldest, pluginConnected, capabilities, t } = frame;
  const epoch = readEpoch(frame["epoch"]);
  const bootId = readBootId(frame["bootId"]);
  if (!isCount(protocol) || epoch === undefined || bootId === undefined) return undefined;
  if (!isCount(head) || !isCount(oldest) || oldest > head + 1) return undefined;
  return {
    type: "hello",
    protocol,
    epoch,
    bootId,
    head,
    oldest,
    pluginConnected: pluginConnected === true,
    capabilities: Array.isArray(capabilities) ? capabilities.filter(isWord).slice(0, 64) : [],
    t: isCount(t) ? t : null,
    details: frame,
  };
}

const readLive = ({ head }: JsonObject): ReplayEndFrame | undefined =>
  isCount(head) ? { type: "live", head } : undefined;

function readGap({ from, to, reason }: JsonObject): GapFrame | undefined {
  if (!isCount(from) || !isCount(to) || from > to) return undefined;
  const why = typeof reason === "string" ? toStorableText(reason.slice(0, 256)) : "";
  return { type: "gap", from, to, reason: why };
}

function readPlugin(frame: JsonObject): PluginFrame | undefined {
  const { connected } = frame;
  const bootId = readBootId(frame["bootId"]);
  if (typeof connected !== "boolean" || bootId === undefined) return undefined;
  return { type: "plugin", connected, bootId };
}

function reject(reason: RejectReason, text: string, frame: JsonObject = {}): RejectedFrame {
  const { seq, kind } = frame;
  const epoch = readEpoch(frame["epoch"]);
  return {
    type: "rejected",
    reason,
    excerpt: excerptOf(text),
    cursor: epoch !== undefined && isCount(seq) ? { epoch, seq } : null,
    kind: isKind(kind) ? kind : null,
  };
}

/** Returns the beginning of a text, which is stored for a rejected frame. */
const excerptOf = (text: string): string => toStorableText(text.slice(0, 512));

const kindPattern = /^[a-z][a-z0-9._-]{0,63}$/;
const epochPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const wordPattern = /^[A-Za-z][\w.-]{0,63}$/;

const isKind = (value: unknown): value is string =>
  typeof value === "string" && kindPattern.test(value);

const isWord = (value: unknown): value is string =>
  typeof value === "string" && wordPattern.test(value);

/** A natural number that every JSON parser reads exactly. */
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** A time up to 2^53, the protocol's limit, which is stored exactly although it is no safe integer. */
const isTime = (value: unknown): value is number => isCount(value) || value === 2 ** 53;

/** Returns an epoch in lower case, as the database does, so that epochs can be compared. */
const readEpoch = (value: unknown): string | undefined =>
  typeof value === "string" && epochPattern.test(value) ? value.toLowerCase() : undefined;

/** Reads the id of a game process. Pages display it, so refuse markup and invisible characters. */
function readBootId(value: unknown): string | null | undefined {
  const bootId = readKey(value, 64);
  return typeof bootId === "string" && !isPlainText(bootId) ? undefined : bootId;
}

/** Returns a text; null if it is null or absent; undefined for other values and too long texts. */
function readKey(value: unknown, maxLength: number): string | null | undefined {
  if (value === null || value === undefined) return null;
  return typeof value === "string" && value.length <= maxLength ? value : undefined;
}
