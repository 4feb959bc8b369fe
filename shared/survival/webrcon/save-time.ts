/** A date of the game's host: a text without a time zone, in the host's culture. It is read as UTC. */
interface DateParts {
  readonly first: number;
  readonly second: number;
  readonly year: number;
  readonly timeMs: number;
}

/** The order of day and month in a text with slashes, if another text of the host shows it. */
export type DayOrder = "dayFirst" | "monthFirst" | null;

export interface SaveTimeFacts {
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the game process started; null if unknown. */
  readonly startedAt: number | null;
  readonly order: DayOrder;
}

const slackMs = 5 * 60_000;

const timePattern = /(\d{1,2})[:.](\d{2})[:.](\d{2})(?:\s*([ap])\.?\s?m\.?)?\s*$/iu;
const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})[T\s]/u;
const yearLast = /^(\d{1,2})([-/.])\s?(\d{1,2})[-/.]\s?(\d{4})[,\s]/u;

/** Returns the milliseconds since midnight of a text that ends with a time of day; null if it does not. */
function readTimeOfDay(text: string): number | null {
  const [, hourText, minuteText, secondText, half] = timePattern.exec(text) ?? [];
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  const hour24 = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (!(hour24 < 24 && minute < 60 && second < 60)) return null;
  return ((hour24 * 60 + minute) * 60 + second) * 1_000;
}

/** Returns the game's time of day in hours, from a text such as `06/05/2025 18:02:11`. */
export function readGameHours(text: string): number | null {
  const timeMs = readTimeOfDay(text);
  return timeMs === null ? null : Math.round(timeMs / 36_000) / 100;
}

function instantOf(year: number, month: number, day: number, timeMs: number): number | null {
  const at = Date.UTC(year, month - 1, day);
  const date = new Date(at);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 2013 ? at + timeMs : null;
}

function readYearLast(text: string, timeMs: number): (DateParts & { sign: string }) | null {
  const [, first, sign = "", second, year] = yearLast.exec(text) ?? [];
  if (first === undefined) return null;
  return { first: Number(first), second: Number(second), year: Number(year), timeMs, sign };
}

/** Returns the order of day and month that a date proves, because one number is no month. */
export function readDayOrder(text: string): DayOrder {
  const parts = readYearLast(text, 0);
  if (!parts || parts.sign === ".") return null;
  if (parts.first > 12 && parts.second <= 12) return "dayFirst";
  return parts.second > 12 && parts.first <= 12 ? "monthFirst" : null;
}

/**
 * Reads the creation time of the save, in epoch milliseconds. If day and month can be exchanged, an order
 * that leads to the future or, unless only one remains, to a time before the process started is refused.
 * @returns null if the time cannot be read for certain
 */
export function readSaveTime(text: string, facts: SaveTimeFacts): number | null {
  const timeMs = readTimeOfDay(text);
  if (timeMs === null) return null;
  const [, year, month, day] = yearFirst.exec(text) ?? [];
  if (year !== undefined) return instantOf(Number(year), Number(month), Number(day), timeMs);
  const parts = readYearLast(text, timeMs);
  if (!parts) return null;
  const dayFirst = instantOf(parts.year, parts.second, parts.first, timeMs);
  if (parts.sign === ".") return dayFirst;
  const monthFirst = instantOf(parts.year, parts.first, parts.second, timeMs);
  // Hosts with a 12-hour clock write the month first.
  if (/[ap]\.?\s?m\.?\s*$/iu.test(text) && monthFirst !== null) return monthFirst;
  return chooseTime(dayFirst, monthFirst, facts);
}

function chooseTime(
  dayFirst: number | null,
  monthFirst: number | null,
  { now, startedAt, order }: SaveTimeFacts,
): number | null {
  if (dayFirst === monthFirst) return dayFirst;
  const past = [dayFirst, monthFirst].filter(
    (time): time is number => time !== null && time <= now + slackMs,
  );
  if (past.length < 2) return past[0] ?? null;
  const recent = past.filter((time) => startedAt !== null && time >= startedAt - slackMs);
  if (recent.length === 1) return recent[0] ?? null;
  if (order === null) return null;
  return order === "dayFirst" ? dayFirst : monthFirst;
}
