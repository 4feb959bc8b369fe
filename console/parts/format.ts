import { language, words } from "../words/words.ts";

const dateTime = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone?: string): Intl.DateTimeFormat {
  const key = timeZone ?? "";
  const known = dateTime.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    ...(timeZone && { timeZone }),
  });
  dateTime.set(key, made);
  return made;
}

/** Formats an instant in the person's time zone, or in another one. A dash for null. */
export const formatTime = (instant: string | number | null, timeZone?: string): string =>
  instant === null ? "–" : formatter(timeZone).format(new Date(instant));

/** Formats the time of a day to the second, in the person's time zone. */
export const formatClock = (instant: Date): string =>
  new Intl.DateTimeFormat(language, { timeStyle: "medium" }).format(instant);

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats how long ago an instant was, or how far it is: `5 minutes ago`. */
export function formatAgo(instant: string | number | null): string {
  if (instant === null) return words.never;
  const seconds = (new Date(instant).getTime() - Date.now()) / 1_000;
  const [unit, size] = units.find(([, one]) => Math.abs(seconds) >= one) ?? ["second", 1];
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  return relative.format(Math.round(seconds / size), unit);
}

/** Formats a duration: `12 s`, `5 min`, `3 h`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return "–";
  const [unit, size] = units.find(([, one]) => Math.abs(seconds) >= one) ?? ["second", 1];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: 1,
  }).format(seconds / size);
}

export const formatNumber = (value: number | null): string =>
  value === null ? "–" : new Intl.NumberFormat(language).format(value);

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Formats a size: `999 bytes`, `1.2 MB`. */
export function formatBytes(size: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), byteUnits.length - 1);
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: byteUnits[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(size / 1_000 ** power);
}

/** Formats an instant for a field of the type `datetime-local`, in the person's time zone. */
export function toLocalInput(instant: string): string {
  const time = new Date(instant);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
