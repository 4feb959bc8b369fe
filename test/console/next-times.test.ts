import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";

import {
  computeNextTimes,
  parseWallTime,
  readCurrentWallTime,
} from "../../console/pages/events/editor/next-times.ts";
import { RecurrenceRule } from "../../shared/events/schedule/rule.ts";

const at = "2026-11-30T20:15";

/** Returns the next wall times as the service calculates them. */
function timesOfService(rrule: string, until: string | null, from: string, count: number) {
  const wall = (text: string) => Temporal.PlainDateTime.from(text);
  const rule = new RecurrenceRule(rrule, { at: wall(at), until: until ? wall(until) : null });
  const times: string[] = [];
  for (const time of rule.from(wall(from))) {
    times.push(time.toString().slice(0, 16));
    if (times.length === count) break;
  }
  return times;
}

function timesOfConsole(rrule: string, until: string | null, from: string, count: number) {
  const schedule = { kind: "recurring", at, rrule, until };
  const times = computeNextTimes(schedule, parseWallTime(from) ?? Number.NaN, count);
  return times?.map((time) => new Date(time).toISOString().slice(0, 16));
}

describe("the next dates of a schedule", () => {
  it.each([
    "FREQ=DAILY",
    "FREQ=DAILY;INTERVAL=3",
    "FREQ=DAILY;BYMONTH=2,3;BYHOUR=9,21",
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;BYDAY=MO,SA",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU",
    "FREQ=MONTHLY",
    "FREQ=MONTHLY;BYMONTHDAY=31",
    "FREQ=MONTHLY;BYMONTHDAY=1,-1",
    "FREQ=MONTHLY;INTERVAL=5;BYDAY=-1FR",
    "FREQ=MONTHLY;BYDAY=2TU,3WE",
    "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
    "FREQ=YEARLY",
    "FREQ=YEARLY;BYMONTH=6,7",
    "FREQ=YEARLY;BYMONTHDAY=5",
    "FREQ=YEARLY;BYDAY=20MO",
    "FREQ=YEARLY;BYMONTH=3;BYDAY=1SU,-1SU",
    "FREQ=WEEKLY;BYDAY=SA;BYHOUR=8,20;BYMINUTE=0,30",
  ])("are those of the service for the rule %s", (rrule) => {
    for (const from of [at, "2027-03-01T12:00"]) {
      for (const until of [null, "2027-09-01T20:15"]) {
        expect(timesOfConsole(rrule, until, from, 8)).toEqual(
          timesOfService(rrule, until, from, 8),
        );
      }
    }
  });

  it.each(["FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1", "FREQ=YEARLY;BYWEEKNO=20", "", "BYDAY=MO"])(
    "are not computed for a rule that the console does not support: %s",
    (rrule) => {
      expect(timesOfConsole(rrule, null, at, 3)).toBeUndefined();
    },
  );

  it("are the one time of a schedule that does not repeat, until it has passed", () => {
    const once = { kind: "once", at };
    const time = parseWallTime(at) ?? Number.NaN;
    expect(computeNextTimes(once, time, 5)).toEqual([time]);
    expect(computeNextTimes(once, time + 60_000, 5)).toEqual([]);
    expect(computeNextTimes({ kind: "manual" }, time, 5)).toEqual([]);
  });

  it("are computed from the current local time of the time zone", () => {
    const instant = new Date("2026-06-30T22:30:00Z");
    expect(new Date(readCurrentWallTime("Europe/Berlin", instant)).toISOString()).toBe(
      "2026-07-01T00:30:00.000Z",
    );
  });
});
