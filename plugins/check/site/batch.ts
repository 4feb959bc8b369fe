import { isObject, type JsonObject } from "../../../shared/bridge/json-text.ts";
import type { Call } from "./call.ts";

export interface SentGap {
  readonly from: number;
  readonly to: number;
}

/** One entry of `events`, with the bytes it was sent in. */
export interface BatchEvent {
  readonly seq: number;
  readonly value: JsonObject;
  readonly text: string;
}

/** The body of `POST /events`. */
export interface Batch {
  readonly epoch: string;
  readonly bootId: unknown;
  readonly gap: SentGap | null;
  readonly events: readonly BatchEvent[];
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isUuid = (value: unknown): value is string =>
  typeof value === "string" && uuidPattern.test(value);

export const isWhole = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** Reads a batch; a text says why the service would refuse all of it. */
export function readBatch(call: Call): Batch | string {
  const { json, text } = call;
  if (!json) return "the body is no JSON object";
  const { epoch, bootId, events, gap } = json;
  if (!isUuid(epoch)) return "epoch is no uuid";
  if (!isUuid(bootId)) return "bootId is no uuid";
  if (!Array.isArray(events)) return "events is no list";
  const read = gap === undefined || gap === null ? null : readGap(gap);
  if (typeof read === "string") return read;
  const texts = sliceList(text, "events");
  const listed: BatchEvent[] = [];
  for (const [index, value] of (events as unknown[]).entries()) {
    if (!isObject(value)) return `events[${index}] is no object`;
    if (!isWhole(value["seq"])) return `events[${index}] has no whole seq`;
    listed.push({ seq: value["seq"], value, text: texts[index] ?? JSON.stringify(value) });
  }
  return { epoch: epoch.toLowerCase(), bootId, gap: read, events: listed };
}

function readGap(gap: unknown): SentGap | string {
  if (!isObject(gap)) return "gap is no object";
  const { from, to, reason } = gap;
  if (!isWhole(from) || !isWhole(to) || from > to) return "gap has no whole from ≤ to";
  return typeof reason === "string" ? { from, to } : "gap has no reason";
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * The texts of the entries of a list that is a field of the outermost object, as they stand in valid
 * JSON: what was sent is judged and shown byte by byte.
 */
export function sliceList(text: string, field: string): string[] {
  let slices: string[] = [];
  let depth = 0;
  let name = "";
  let start = -1;
  const cut = (end: number): void => {
    const slice = start < 0 ? "" : text.slice(start, end).trim();
    if (slice !== "") slices.push(slice);
  };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (depth === 1 && token.startsWith('"')) name = token;
    if (token === "{" || token === "[") {
      depth += 1;
      const isList = depth === 2 && token === "[" && name === JSON.stringify(field);
      if (isList) [slices, start] = [[], index + 1];
    }
    if (depth === 2 && start >= 0 && (token === "," || token === "]")) {
      cut(index);
      start = token === "," ? index + 1 : -1;
    }
    if (token === "}" || token === "]") depth -= 1;
  }
  return slices;
}
