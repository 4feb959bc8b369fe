import { pathToFileURL } from "node:url";

/** Returns environment variables for a process whose clock is wrong by this many milliseconds. */
export const buildShiftedClockEnv = (ms: number): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import ${pathToFileURL(import.meta.filename).href}`,
  CLOCK_OFF_BY_MS: String(ms),
});

const offMs = Number(process.env["CLOCK_OFF_BY_MS"] ?? 0);
const TrueDate = Date;

/**
 * Replaces `Date` in a process whose clock is shifted. The process preloads this module. Timers are not shifted.
 */
class ShiftedDate extends TrueDate {
  constructor(...given: [] | [string | number | Date]) {
    if (given.length === 0) super(TrueDate.now() + offMs);
    else super(...given);
  }

  static override now(): number {
    return TrueDate.now() + offMs;
  }
}

if (offMs !== 0) globalThis.Date = ShiftedDate as DateConstructor;
