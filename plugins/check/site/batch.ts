import { isObject, type JsonObject } from "../../../shared/platform/bridge/json-text.ts";
import type { Call } from "./call.ts";

export interface SentGap {
  readonly from: number;
  readonly to: number;
}

/** One event of a call, with its JSON text exactly as it was sent. */
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

export const isWholeNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** Parses the body of `POST /events`. @returns the reason as a text if the site would refuse the body */
export function readBatch(call: Call): Batch | string {
  const { json, text } = call;
  if (!json) return "the body is not a JSON object";
  const { epoch, bootId, events, gap } = json;
  if (!isUuid(epoch)) return "epoch is not a UUID";
  if (!isUuid(bootId)) return "bootId is not a UUID";
  if (!Array.isArray(events)) return "events is not a list";
  const read = gap === undefined || gap === null ? null : readGap(gap);
  if (typeof read === "string") return read;
  const texts = splitJsonList(text, "events");
  const listed: BatchEvent[] = [];
  for (const [index, value] of (events as unknown[]).entries()) {
    if (!isObject(value)) return `events[${index}] is not an object`;
    if (!isWholeNumber(value["seq"])) return `events[${index}] has no integer seq`;
    listed.push({ seq: value["seq"], value, text: texts[index] ?? JSON.stringify(value) });
  }
  return { epoch: epoch.toLowerCase(), bootId, gap: read, events: listed };
}

function readGap(gap: unknown): SentGap | string {
  if (!isObject(gap)) return "gap is not an object";
  const { from, to, reason } = gap;
  if (!isWholeNumber(from) || !isWholeNumber(to) || from > to) {
    return "gap has no integers from and to, with from ≤ to";
  }
  return typeof reason === "string" ? { from, to } : "gap has no reason";
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

const steps: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 };

/** Returns the JSON text of each item of a top-level list of the body, exactly as it was sent. */
export function splitJsonList(text: string, field: string): string[] {
  const entries = text.slice(startOfList(text, field));
  const slices: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of entries.matchAll(tokens)) {
    if (depth === 0 && (token === "," || token === "]")) {
      slices.push(entries.slice(start, index).trim());
      start = index + 1;
    }
    depth += steps[token] ?? 0;
    if (depth < 0) break;
  }
  return slices.filter((slice) => slice !== "");
}

/** Returns the position of the list's first item; the end of the text if there is no list. */
function startOfList(text: string, field: string): number {
  let start = text.length;
  let depth = 0;
  let name = "";
  for (const { 0: token, index } of text.matchAll(tokens)) {
    // If the field occurs twice, use the last one, as JSON parsers do.
    if (depth === 1 && token === "[" && name === JSON.stringify(field)) start = index + 1;
    if (depth === 1 && token.startsWith('"')) name = token;
    depth += steps[token] ?? 0;
  }
  return start;
}
