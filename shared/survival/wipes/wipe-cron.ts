import { Cron } from "croner";

const maxLength = 120;

const fields = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day of the month", min: 1, max: 31 },
  { name: "month", min: 1, max: 12 },
  { name: "weekday", min: 0, max: 7 },
] as const;

type Field = (typeof fields)[number];

/**
 * Parses the cron expression of a wipe. The library Croner computes the dates. Croner also accepts names,
 * macros and seconds, which the game's timer does not accept, so check the fields first.
 * @returns the parsed expression, or the end of a sentence that names the broken rule
 */
export function parseWipeCron(text: string): Cron | string {
  if (text.length > maxLength) return `must be at most ${maxLength} characters long`;
  const parts = text.trim().split(/[ \t]+/);
  if (parts.length !== fields.length) return "must have five fields: minute hour day month weekday";
  for (const [at, field] of fields.entries()) {
    const items = (parts[at] ?? "").split(",");
    const fault = faultOfField(items, field);
    if (fault !== undefined) return fault;
    parts[at] = items.map((item) => listValues(item, field)).join(",");
  }
  // Unlike other cron programs, the game's timer fires only on dates that match both day fields.
  return new Cron(parts.join(" "), {
    mode: "5-part",
    timezone: "UTC",
    domAndDow: true,
    paused: true,
  });
}

function faultOfField(items: readonly string[], field: Field): string | undefined {
  for (const item of items) {
    if (item === "") return `has an empty ${field.name} before or after a comma`;
    if (!isLast(item, field) && !isCountedWeekday(item, field) && !readRange(item, field)) {
      return `has an unsupported ${field.name}: ${item}`;
    }
  }
  return undefined;
}

/** True if the item of a cron field is `L`, the last day of a month. */
const isLast = (item: string, { name }: Field): boolean =>
  name === "day of the month" && item === "L";

/** True if the item of a cron field is like `4#1`, the first Thursday of a month, or `4L`, the last. */
const isCountedWeekday = (item: string, { name }: Field): boolean =>
  name === "weekday" && /^[0-7](?:#[1-5]|L)$/.test(item);

/** Reads an item like `*`, `5` or `1-7`, with or without `/2`. Undefined if invalid or out of bounds. */
function readRange(item: string, { min, max }: Field) {
  const [whole, first, last, step] =
    /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(item) ?? [];
  if (whole === undefined) return undefined;
  const from = Number(first ?? min);
  const to = Number(last ?? (step === undefined ? (first ?? max) : max));
  const every = Number(step ?? 1);
  const isWithin = from >= min && from <= to && to <= max;
  return isWithin && every > 0 ? { from, to, every } : undefined;
}

/**
 * Writes a range as a list, because Croner refuses long steps and ignores weekday 7 (Sunday) in a range with a
 * step.
 */
function listValues(item: string, field: Field): string {
  const range = readRange(item, field);
  if (!range || item === "*") return item;
  const count = Math.floor((range.to - range.from) / range.every) + 1;
  return Array.from({ length: count }, (_, at) => range.from + at * range.every).join(",");
}

/** Returns false for an expression that never fires, such as the 31st of April. */
export const canFire = (cron: Cron): boolean => cron.nextRun(new Date(0)) !== null;

/**
 * Yields the wall times after `wall` at which the cron expression fires, in order. Each is a Date whose
 * UTC fields are the fields of the wall time.
 */
export function* firingsAfter(cron: Cron, wall: Date): Generator<Date> {
  for (let next = cron.nextRun(wall); next !== null; next = cron.nextRun(next)) yield next;
}
