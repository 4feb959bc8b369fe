import { Temporal } from "temporal-polyfill";

import {
  instantOf,
  parseWallTime,
  wallTimeAt,
  wallTimesOf,
} from "../../platform/time/wall-time.ts";
import { isRuleTooExpensive } from "./rule-times.ts";
import { RecurrenceRule } from "./rule.ts";

/** The times of an event; wall times are in the definition's time zone. */
export type Schedule =
  | { readonly kind: "manual" }
  | { readonly kind: "once"; readonly at: string }
  | {
      readonly kind: "recurring";
      readonly at: string;
      readonly rrule: string;
      /** The last possible wall time; null if the rule never ends. */
      readonly until: string | null;
    };

/** A span of time; its end is not part of it. */
export interface TimeWindow {
  readonly from: Date;
  readonly to: Date;
}

/** More than any time zone has ever moved its clock at once. */
const maxClockShift = { hours: 26 };

const isBefore = (one: Temporal.PlainDateTime, other: Temporal.PlainDateTime): boolean =>
  Temporal.PlainDateTime.compare(one, other) < 0;

/**
 * Returns at most `most` instants of a window in order. Two wall times of one instant count once.
 */
export function listOccurrences(
  schedule: Schedule,
  zone: string,
  { from, to }: TimeWindow,
  most: number,
): Date[] {
  const last = wallTimeAt(to, zone).add(maxClockShift);
  const found = new Set<number>();
  let reached = last;
  for (const wall of wallTimesFrom(schedule, wallTimeAt(from, zone).subtract(maxClockShift))) {
    // A wall time that a clock change skips becomes a later instant than some of its successors. So do not stop at
    // the limit: read all wall times up to the latest instant, and sort the instants afterward.
    if (isBefore(last, wall) || (found.size >= most && isBefore(reached, wall))) break;
    const instant = instantOf(wall, zone);
    if (instant < from || instant >= to) continue;
    found.add(instant.valueOf());
    if (found.size === most) reached = wallTimeAt(new Date(Math.max(...found)), zone);
  }
  const ordered = [...found].toSorted((one, other) => one - other);
  return ordered.slice(0, most).map((instant) => new Date(instant));
}

/** Returns the first instant of a schedule at or after `from`; null if there is none. */
export const findFirstOccurrence = (schedule: Schedule, zone: string, from: Date): Date | null =>
  listOccurrences(schedule, zone, { from, to: endOfTime }, 1)[0] ?? null;

const endOfTime = new Date("9000-01-01T00:00:00Z");

/** Returns a function that tests if an instant is in the schedule. Call it in order of time. */
export function createOccurrencePredicate(
  schedule: Schedule,
  zone: string,
): (instant: Date) => boolean {
  const gives = wallTimeTest(schedule);
  return (instant) => wallTimesOf(instant, zone).some(gives);
}

function wallTimeTest(schedule: Schedule): (wall: Temporal.PlainDateTime) => boolean {
  const at = schedule.kind === "manual" ? undefined : parseWallTime(schedule.at);
  if (schedule.kind === "manual" || !at) return () => false;
  if (schedule.kind === "once") return (wall) => wall.equals(at);
  const rule = ruleOf(schedule, at);
  return (wall) => rule?.hasWallTime(wall) ?? false;
}

function* wallTimesFrom(schedule: Schedule, from: Temporal.PlainDateTime) {
  if (schedule.kind === "manual") return;
  const at = parseWallTime(schedule.at);
  if (!at) return;
  if (schedule.kind === "once") yield at;
  else yield* ruleOf(schedule, at)?.from(from) ?? [];
}

/** @returns undefined for a stored rule over the present limits, whose searches would not end */
function ruleOf(
  { rrule, until }: Extract<Schedule, { kind: "recurring" }>,
  at: Temporal.PlainDateTime,
): RecurrenceRule | undefined {
  if (isRuleTooExpensive(rrule)) return undefined;
  const last = until === null ? null : (parseWallTime(until) ?? null);
  return new RecurrenceRule(rrule, { at, until: last });
}
