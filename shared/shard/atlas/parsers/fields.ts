import { createHash } from "node:crypto";

import { toStorableText } from "../../../platform/bridge/json-text.ts";

/** Longer names occur only in damaged trees; they are truncated. */
const maxNameLength = 256;

/** Returns a text that can be stored; null if it is empty. */
export function cleanText(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  return toStorableText(String(value).trim().slice(0, maxNameLength)) || null;
}

const most = 2 ** 31 - 1;

/** Parses an integer that a column can hold, from a number or a text. */
export function parseInteger(value: unknown): number | undefined {
  if (typeof value === "string" && !/^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(value)) return undefined;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const number = Math.trunc(Number(value));
  return Math.abs(number) <= most ? number : undefined;
}

/** Parses a finite number from a number or a text. .NET writes a decimal comma in some locales. */
export function parseNumber(value: unknown): number | undefined {
  const text = typeof value === "string" ? value.trim().replace(",", ".") : value;
  if (text === "" || (typeof text !== "string" && typeof text !== "number")) return undefined;
  const number = Number(text);
  return Number.isFinite(number) && Math.abs(number) < 1e12 ? number : undefined;
}

/** Parses `True` or `False` as C# writes them, in any case; returns `otherwise` for other values. */
export function parseFlag(value: unknown, otherwise: boolean): boolean {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  return text === "true" || (text !== "false" && otherwise);
}

/** Parses `[d.]hh:mm:ss[.fff]` to seconds. */
export function parseTimeSpan(value: unknown): number | undefined {
  if (typeof value === "number") return value >= 0 ? parseNumber(value) : undefined;
  const match =
    typeof value === "string" &&
    /^(?:(\d{1,6})\.)?(\d{1,2}):(\d{1,2}):(\d{1,2}(?:\.\d{1,7})?)$/.exec(value.trim());
  if (!match) return undefined;
  const [, days = "0", hours, minutes, seconds] = match;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** Parses an ISO 8601 duration such as `PT5M` or `P1DT2H` to seconds. */
export function parseIsoDuration(value: unknown): number | undefined {
  const match =
    typeof value === "string" &&
    /^P(?=.)(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/.exec(
      value.trim(),
    );
  if (!match) return undefined;
  const [, days = "0", hours = "0", minutes = "0", seconds = "0"] = match;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** Returns a key for a record without an id. Records with equal content get equal keys. */
export const contentKey = (...parts: readonly unknown[]): string =>
  createHash("sha1").update(JSON.stringify(parts)).digest("hex");
