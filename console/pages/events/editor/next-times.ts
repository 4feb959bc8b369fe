/** A wall time, held as the instant at which a clock in UTC shows it. */
type Wall = number;

const dayMs = 86_400_000;

/** The search ends after this many days. */
const maxDays = 366 * 12;

const dayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

/** The parts of a rule (RFC 5545) that this module follows. */
const followed = new Set("FREQ INTERVAL BYDAY BYMONTH BYMONTHDAY BYHOUR BYMINUTE WKST".split(" "));

type Parts = ReadonlyMap<string, string>;

/** Reads a rule. @returns null if it has no frequency */
export function parseRecurrenceRule(text: string): Parts | null {
  const given = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, "")
    .split(";")
    .filter((part) => part !== "")
    .map((part) => part.split("="))
    .map(([name = "", value = ""]): [string, string] => [name, value]);
  const parts = new Map(given);
  return parts.has("FREQ") ? parts : null;
}

export const parseWallTime = (text: unknown): Wall | null => {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return null;
  const wall = Date.parse(`${text.slice(0, 19)}Z`);
  return Number.isNaN(wall) ? null : wall;
};

/** Returns the wall time that a clock in a time zone shows now. */
export function readCurrentWallTime(timeZone: string, now = new Date()): Wall {
  const parts = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  }).format(now);
  return Date.parse(`${parts.replace(" ", "T")}Z`);
}

interface Schedule {
  readonly kind?: unknown;
  readonly at?: unknown;
  readonly rrule?: unknown;
  readonly until?: unknown;
}

/**
 * Returns the next wall times of a schedule, the earliest first.
 * @returns null if the schedule is malformed, or has a rule that only the service can follow
 */
export function computeNextTimes(
  { kind, at, rrule, until }: Schedule,
  from: Wall,
  count: number,
): readonly Wall[] | null {
  const start = parseWallTime(at);
  if (kind === "manual") return [];
  if (start === null) return null;
  if (kind === "once") return start >= from ? [start] : [];
  const parts = typeof rrule === "string" ? parseRecurrenceRule(rrule) : null;
  if (!parts || [...parts.keys()].some((name) => !followed.has(name))) return null;
  const end = parseWallTime(until) ?? Infinity;
  return collect(parts, { start, from: Math.max(start, from), end, count });
}

interface Search {
  readonly start: Wall;
  readonly from: Wall;
  readonly end: Wall;
  readonly count: number;
}

function collect(parts: Parts, { start, from, end, count }: Search): readonly Wall[] {
  const times = timesOfDay(parts, start);
  const found: Wall[] = [];
  const first = Math.floor(from / dayMs);
  for (let day = first; day < first + maxDays && found.length < count; day += 1) {
    if (day * dayMs > end) break;
    if (!matchesDay(parts, day, Math.floor(start / dayMs))) continue;
    const walls = times.map((time) => day * dayMs + time);
    found.push(...walls.filter((wall) => wall >= from && wall <= end));
  }
  return found.slice(0, count);
}

const numbersIn = (text: string | undefined): readonly number[] =>
  text === undefined ? [] : text.split(",").map(Number);

function timesOfDay(parts: Parts, start: Wall): readonly number[] {
  const date = new Date(start);
  const hours = parts.has("BYHOUR") ? numbersIn(parts.get("BYHOUR")) : [date.getUTCHours()];
  const minutes = parts.has("BYMINUTE") ? numbersIn(parts.get("BYMINUTE")) : [date.getUTCMinutes()];
  const seconds = date.getUTCSeconds();
  return hours
    .flatMap((hour) => minutes.map((minute) => ((hour * 60 + minute) * 60 + seconds) * 1_000))
    .toSorted((one, other) => one - other);
}

const monthOf = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth();

function matchesDay(parts: Parts, day: number, first: number): boolean {
  const [date, start] = [new Date(day * dayMs), new Date(first * dayMs)];
  const interval = Number(parts.get("INTERVAL") ?? 1);
  return (
    periodsBetween(parts, date, start) % interval === 0 &&
    matchesMonth(parts, date, start) &&
    matchesMonthDay(parts, date, start) &&
    matchesWeekday(parts, date, start)
  );
}

function periodsBetween(parts: Parts, date: Date, start: Date): number {
  const days = Math.round((date.getTime() - start.getTime()) / dayMs);
  const weekStart = Math.max(0, dayNames.indexOf(parts.get("WKST") ?? "MO"));
  switch (parts.get("FREQ")) {
    case "DAILY":
      return days;
    case "WEEKLY":
      return Math.floor((days + ((start.getUTCDay() - weekStart + 7) % 7)) / 7);
    case "MONTHLY":
      return monthOf(date) - monthOf(start);
    case "YEARLY":
      return date.getUTCFullYear() - start.getUTCFullYear();
    default:
      return Number.NaN;
  }
}

const hasDays = (parts: Parts): boolean => parts.has("BYDAY") || parts.has("BYMONTHDAY");

function matchesMonth(parts: Parts, date: Date, start: Date): boolean {
  if (parts.has("BYMONTH")) return numbersIn(parts.get("BYMONTH")).includes(date.getUTCMonth() + 1);
  const isOwnMonth = parts.get("FREQ") === "YEARLY" && !hasDays(parts);
  return !isOwnMonth || date.getUTCMonth() === start.getUTCMonth();
}

const daysInMonth = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();

function matchesMonthDay(parts: Parts, date: Date, start: Date): boolean {
  const day = date.getUTCDate();
  if (parts.has("BYMONTHDAY")) {
    const given = numbersIn(parts.get("BYMONTHDAY"));
    return given.includes(day) || given.includes(day - daysInMonth(date) - 1);
  }
  const isOwnDay = ["MONTHLY", "YEARLY"].includes(parts.get("FREQ") ?? "") && !hasDays(parts);
  return !isOwnDay || day === start.getUTCDate();
}

function matchesWeekday(parts: Parts, date: Date, start: Date): boolean {
  const given = parts.get("BYDAY");
  if (given === undefined) {
    const isOwnDay = parts.get("FREQ") === "WEEKLY";
    return !isOwnDay || date.getUTCDay() === start.getUTCDay();
  }
  return given.split(",").some((one) => {
    const [, place = "", name = ""] = /^([+-]?\d*)(\w\w)$/.exec(one) ?? [];
    if (dayNames[date.getUTCDay()] !== name) return false;
    return place === "" || isNth(parts, date, Number(place));
  });
}

/** Returns true if a day is the nth of its weekday in the month, or in the year for a yearly rule. */
function isNth(parts: Parts, date: Date, place: number): boolean {
  const isOfYear = parts.get("FREQ") === "YEARLY" && !parts.has("BYMONTH");
  const year = date.getUTCFullYear();
  const day = isOfYear
    ? Math.round((date.getTime() - Date.UTC(year, 0, 1)) / dayMs) + 1
    : date.getUTCDate();
  const days = isOfYear
    ? Math.round((Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / dayMs)
    : daysInMonth(date);
  return place > 0
    ? Math.ceil(day / 7) === place
    : Math.ceil((days - day + 1) / 7) === Math.abs(place);
}
