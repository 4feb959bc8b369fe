export function duration(seconds) {
  if (seconds === null) return "–";
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 86400 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86400).toFixed(1)} d`;
}

const secondsSince = (date) => (Date.now() - Date.parse(date)) / 1000;

export const since = (date) => duration(secondsSince(date));

export function until(date) {
  const seconds = -secondsSince(date);
  return seconds <= 0 ? "now" : `in ${duration(seconds)}`;
}

export const took = ({ startedAt, completedAt }) =>
  startedAt ? duration((Date.parse(completedAt) - Date.parse(startedAt)) / 1000) : "–";

export const at = (date) => (date ? new Date(date).toLocaleString() : "–");

export const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

const byteUnits = ["bytes", "kB", "MB", "GB", "TB"];

export function bytes(number) {
  const power = Math.min(Math.floor(Math.log10(Math.max(number, 1)) / 3), byteUnits.length - 1);
  const value = number / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${byteUnits[power]}`;
}

/** The progress of a job: `texts: 300 of 6000`, `files: 1.2 MB of 48 MB`. */
export function farOf({ phase, done, total, unit }) {
  const amount = unit === "bytes" ? bytes : String;
  if (total !== null && total > 0) return `${phase}: ${amount(done)} of ${amount(total)}`;
  return done > 0 ? `${phase}: ${amount(done)}` : phase;
}

/** The reason of a failed job. The queue stores its own reason, such as a lost worker, in `value`. */
export const errorOf = ({ output }) =>
  output?.message ?? output?.value?.message ?? output?.reason ?? "no reason was given";

export const triesOf = ({ attempts, retryLimit }) =>
  `attempt ${Math.max(1, attempts)} of ${Math.max(1, attempts, retryLimit + 1)}`;
