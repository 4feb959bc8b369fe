import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import promises from "node:timers/promises";
import { pathToFileURL } from "node:url";

/**
 * Returns environment variables for a process in which timers of at least this many milliseconds
 * never fire.
 */
export const buildStoppedTimersEnv = (ms: number): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import ${pathToFileURL(import.meta.filename).href}`,
  STILLED_FROM_MS: String(ms),
});

/** The process logs this message once per duration, because tests keep only the end of the output. */
export const stoppedMessage = "a timer is stilled";

const fromMs = Number(process.env["STILLED_FROM_MS"] ?? Number.POSITIVE_INFINITY);

/** The longest duration that a timer can have: about 25 days. */
const longestMs = 2 ** 31 - 1;

const loggedDurations = new Set<number>();

function stillIfLong(ms: number | undefined): number | undefined {
  if (ms === undefined || ms < fromMs) return ms;
  if (!loggedDurations.has(ms)) process.stderr.write(`${stoppedMessage}: ${ms} ms\n`);
  loggedDurations.add(ms);
  return longestMs;
}

/** Wraps a timer function whose second argument is the duration. */
function wrapTimer(host: object, name: "setTimeout" | "setInterval"): void {
  const real = Reflect.get(host, name) as (...given: unknown[]) => unknown;
  const wrapped = (done: unknown, ms?: number, ...rest: unknown[]) =>
    real(done, stillIfLong(ms), ...rest);
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(real));
  Reflect.set(host, name, wrapped);
}

if (Number.isFinite(fromMs)) {
  for (const name of ["setTimeout", "setInterval"] as const) {
    wrapTimer(globalThis, name);
    wrapTimer(timers, name);
  }
  const wait = promises.setTimeout;
  promises.setTimeout = (ms, ...rest) => wait(stillIfLong(ms), ...rest);
  syncBuiltinESMExports();
}
