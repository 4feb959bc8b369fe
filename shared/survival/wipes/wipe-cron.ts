type Numbers = ReadonlySet<number>;

/** The nth or the last weekday of a month. */
interface CountedWeekday {
  readonly weekday: number;
  readonly nth: number | "last";
}

/** The times of a cron in wall time. As in the game's timer, both day fields must match. */
export interface WipeCron {
  readonly minutes: Numbers;
  readonly hours: Numbers;
  readonly days: Numbers;
  readonly onLastDay: boolean;
  readonly months: Numbers;
  readonly weekdays: Numbers;
  readonly countedWeekdays: readonly CountedWeekday[];
}

const longest = 120;

const fields = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day of the month", min: 1, max: 31 },
  { name: "month", min: 1, max: 12 },
  { name: "weekday", min: 0, max: 7 },
] as const;

type Field = (typeof fields)[number];

/** @returns the cron, or the end of a sentence that names the broken rule */
export function parseWipeCron(text: string): WipeCron | string {
  if (text.length > longest) return `must be at most ${longest} characters long`;
  const parts = text.trim().split(/[ \t]+/);
  if (parts.length !== fields.length) return "must have five fields: minute hour day month weekday";
  const [minutes, hours, days, months, weekdays] = fields.map((field, at) =>
    parseField(parts[at] ?? "", field),
  ) as [Parsed, Parsed, Parsed, Parsed, Parsed];
  for (const field of [minutes, hours, days, months, weekdays]) {
    if (field.fault !== undefined) return field.fault;
  }
  return {
    minutes: minutes.numbers,
    hours: hours.numbers,
    days: days.numbers,
    onLastDay: days.onLast,
    months: months.numbers,
    weekdays: new Set([...weekdays.numbers].map(sundayIsZero)),
    countedWeekdays: weekdays.counted,
  };
}

interface Parsed {
  readonly numbers: Set<number>;
  readonly counted: CountedWeekday[];
  onLast: boolean;
  fault?: string;
}

function parseField(text: string, field: Field): Parsed {
  const parsed: Parsed = { numbers: new Set(), counted: [], onLast: false };
  for (const item of text.split(",")) {
    if (takeLast(item, field, parsed) || takeCounted(item, field, parsed)) continue;
    const range = parseRange(item, field);
    if (!range) {
      const fault =
        item === ""
          ? `has an empty ${field.name} beside a comma`
          : `has a ${field.name} that is not taken: ${item}`;
      return { ...parsed, fault };
    }
    for (let at = range.from; at <= range.to; at += range.step) parsed.numbers.add(at);
  }
  return parsed;
}

function takeLast(item: string, { name }: Field, parsed: Parsed): boolean {
  if (name !== "day of the month" || item !== "L") return false;
  parsed.onLast = true;
  return true;
}

/** `4#1` is the first Thursday of a month, `4L` the last. */
function takeCounted(item: string, { name }: Field, { counted }: Parsed): boolean {
  const [, weekday, nth] = /^([0-7])(?:#([1-5])|L)$/.exec(item) ?? [];
  if (name !== "weekday" || weekday === undefined) return false;
  counted.push({
    weekday: sundayIsZero(Number(weekday)),
    nth: nth === undefined ? "last" : Number(nth),
  });
  return true;
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** `*`, `5`, `1-7`, each optionally with `/2`; `5/2` continues to the field's maximum. */
function parseRange(item: string, { min, max }: Field): Range | undefined {
  const [whole, first, last, stepText] =
    /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(item) ?? [];
  if (whole === undefined) return undefined;
  const step = Number(stepText ?? 1);
  const from = Number(first ?? min);
  const single = first !== undefined && stepText === undefined ? from : max;
  const to = Number(last ?? single);
  const fits = step > 0 && from >= min && from <= to && to <= max;
  return fits ? { from, to, step } : undefined;
}

const sundayIsZero = (weekday: number): number => weekday % 7;

const dayMs = 86_400_000;

/** The calendar repeats after 400 years, weekdays included. */
const calendarDays = 146_097;

/** True if a cron ever fires; April 31 and the like never come. */
export const everFires = (cron: WipeCron): boolean => firstDay(cron, 0) !== undefined;

/** A wall time: days since 1970-01-01, and the minute of the day. */
export interface WallMinute {
  readonly day: number;
  readonly minute: number;
}

/** Yields the wall times after one at which a cron fires, in order, without end. */
export function* firingsAfter(cron: WipeCron, { day, minute }: WallMinute): Generator<WallMinute> {
  const minutes = minutesOfDay(cron);
  let from = day;
  let after = minute;
  for (;;) {
    const next = firstDay(cron, from);
    if (next === undefined) return;
    for (const at of minutes) {
      if (next > day || at > after) yield { day: next, minute: at };
    }
    from = next + 1;
    after = -1;
  }
}

const minutesOfDay = ({ hours, minutes }: WipeCron): number[] =>
  ascending(hours).flatMap((hour) => ascending(minutes).map((minute) => hour * 60 + minute));

const ascending = (numbers: Numbers): number[] =>
  [...numbers].toSorted((one, other) => one - other);

/** Returns the first day at or after `from` on which a cron fires. */
function firstDay(cron: WipeCron, from: number): number | undefined {
  for (let day = from; day <= from + calendarDays; day += 1) {
    if (firesOn(cron, new Date(day * dayMs))) return day;
  }
  return undefined;
}

function firesOn(cron: WipeCron, date: Date): boolean {
  if (!cron.months.has(date.getUTCMonth() + 1)) return false;
  return fitsDay(cron, date) && fitsWeekday(cron, date);
}

const fitsDay = ({ days, onLastDay }: WipeCron, date: Date): boolean =>
  days.has(date.getUTCDate()) || (onLastDay && date.getUTCDate() === lastDate(date));

function fitsWeekday({ weekdays, countedWeekdays }: WipeCron, date: Date): boolean {
  const weekday = date.getUTCDay();
  if (weekdays.has(weekday)) return true;
  const nth = Math.ceil(date.getUTCDate() / 7);
  const isLast = date.getUTCDate() + 7 > lastDate(date);
  return countedWeekdays.some(
    (counted) =>
      counted.weekday === weekday && (counted.nth === "last" ? isLast : counted.nth === nth),
  );
}

const lastDate = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
