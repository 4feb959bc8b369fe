import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";

import { findFirstOccurrence } from "../../shared/events/schedule/schedule.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { findDisplayedWipe, resolveNextWipe } from "../../shared/survival/wipes/next-wipe.ts";
import { canFire, parseWipeCron } from "../../shared/survival/wipes/wipe-cron.ts";
import {
  normalizeWipeSchedule,
  wipeFields,
  type WipeSchedule,
  type WipeScheduleInput,
} from "../../shared/survival/wipes/wipe-schedule.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";

const settled = (written: WipeScheduleInput): WipeSchedule => {
  const schedule = normalizeWipeSchedule(written);
  if (!schedule) throw new Error("nothing is written");
  return schedule;
};

const nextAfter = (schedule: WipeSchedule, now: string) => {
  const { nextWipe, nextWipeSource } = resolveNextWipe(schedule, new Date(now));
  return { nextWipe: nextWipe?.toISOString().replace(":00.000Z", "Z") ?? null, nextWipeSource };
};

/** Returns this many wipes, one after another. Each is computed from the previous wipe. */
function wipesFrom(schedule: WipeSchedule, from: string, count: number): string[] {
  const found: string[] = [];
  let now = from;
  for (let at = 0; at < count; at += 1) {
    now = String(nextAfter(schedule, now).nextWipe);
    found.push(now);
  }
  return found;
}

const faultsOf = (written: WipeScheduleInput) => {
  try {
    normalizeWipeSchedule(written);
    return [];
  } catch (error) {
    return error instanceof AppError ? error.faults : error;
  }
};

describe("the next wipe", () => {
  it("is the first Thursday at 19:00 in London, in winter time and summer time", () => {
    const monthly = settled({ wipeRule: "monthly" });
    expect(wipesFrom(monthly, "2026-02-10T00:00Z", 2)).toEqual([
      "2026-03-05T19:00Z",
      "2026-04-02T18:00Z",
    ]);
    expect(wipesFrom(monthly, "2026-09-10T00:00Z", 2)).toEqual([
      "2026-10-01T18:00Z",
      "2026-11-05T19:00Z",
    ]);
  });

  it("keeps its local time every week while the clocks change", () => {
    const weekly = settled({ wipeRule: "weekly" });
    expect(wipesFrom(weekly, "2026-03-20T00:00Z", 2)).toEqual([
      "2026-03-26T19:00Z",
      "2026-04-02T18:00Z",
    ]);
    expect(wipesFrom(weekly, "2026-10-20T00:00Z", 2)).toEqual([
      "2026-10-22T18:00Z",
      "2026-10-29T19:00Z",
    ]);
  });

  it("is, under the biweekly rule, on the first, third and fifth occurrence of its weekday in each month", () => {
    const biweekly = settled({ wipeRule: "biweekly" });
    expect(wipesFrom(biweekly, "2025-12-31T12:00Z", 7)).toEqual([
      "2026-01-01T19:00Z",
      "2026-01-15T19:00Z",
      "2026-01-29T19:00Z",
      "2026-02-05T19:00Z",
      "2026-02-19T19:00Z",
      "2026-03-05T19:00Z",
      "2026-03-19T19:00Z",
    ]);
  });

  it("is at the end of the gap if a clock change skips its local time, while an event is moved by the length of the gap", () => {
    const sundays = settled({ wipeRule: "weekly", wipeDay: 0, wipeTime: "01:30" });
    expect(nextAfter(sundays, "2026-03-25T00:00Z").nextWipe).toBe("2026-03-29T01:00Z");
    expect(nextAfter(sundays, "2026-03-29T01:00Z").nextWipe).toBe("2026-04-05T00:30Z");
    const event = { kind: "once", at: "2026-03-29T01:30" } as const;
    const occurrence = findFirstOccurrence(event, "Europe/London", new Date("2026-03-25T00:00Z"));
    expect(occurrence).toEqual(new Date("2026-03-29T01:30Z"));
  });

  it("is the first of two instants if its local time occurs twice", () => {
    const sundays = settled({ wipeRule: "weekly", wipeDay: 0, wipeTime: "01:30" });
    expect(wipesFrom(sundays, "2026-10-24T00:00Z", 2)).toEqual([
      "2026-10-25T00:30Z",
      "2026-11-01T01:30Z",
    ]);
    expect(nextAfter(sundays, "2026-10-25T01:10Z").nextWipe).toBe("2026-11-01T01:30Z");
  });

  it("is the beginning of the next day if a time zone skipped its day", () => {
    const fridays = settled({ wipeRule: "weekly", wipeDay: 5, wipeTimezone: "Pacific/Apia" });
    expect(nextAfter(fridays, "2011-12-28T00:00Z").nextWipe).toBe("2011-12-30T10:00Z");
  });

  it("is strictly in the future", () => {
    const weekly = settled({ wipeRule: "weekly" });
    expect(nextAfter(weekly, "2026-03-26T18:59:59.999Z").nextWipe).toBe("2026-03-26T19:00Z");
    expect(nextAfter(weekly, "2026-03-26T19:00Z").nextWipe).toBe("2026-04-02T18:00Z");
  });

  it("is shown until the new world exists, but at most an hour after its time", () => {
    const wipeSetAt = new Date("2026-03-01T12:00Z");
    const weekly = { ...settled({ wipeRule: "weekly" }), wipeSetAt };
    const shown = (now: string, madeAt: string | null) =>
      findDisplayedWipe(weekly, new Date(now), madeAt === null ? null : new Date(madeAt)).nextWipe;
    const [due, then] = [new Date("2026-03-26T19:00Z"), new Date("2026-04-02T18:00Z")];
    const before = "2026-03-19T19:02Z";
    expect(shown("2026-03-26T18:59:59.999Z", before)).toEqual(due);
    expect(shown("2026-03-26T19:00Z", before)).toEqual(due);
    expect(shown("2026-03-26T19:59:59.999Z", before)).toEqual(due);
    expect(shown("2026-03-26T20:00Z", before)).toEqual(then);
    for (const madeAt of ["2026-03-26T19:01Z", "2026-03-26T18:50Z", null]) {
      expect(shown("2026-03-26T19:10Z", madeAt)).toEqual(then);
    }
    const once = { ...settled({ wipeRule: "once", wipeAt: "2026-03-26T19:00:00Z" }), wipeSetAt };
    const awaited = (now: string, given = once) =>
      findDisplayedWipe(given, new Date(now), new Date(before)).nextWipe;
    expect([awaited("2026-03-26T19:30Z"), awaited("2026-03-26T20:00Z")]).toEqual([due, null]);
    const late = { ...once, wipeSetAt: new Date("2026-03-26T19:20Z") };
    expect(awaited("2026-03-26T19:30Z", late)).toBeNull();
  });

  it("is the set time while that is in the future, and then the next time of the rule", () => {
    const wipeAt = "2026-05-04T12:00:00Z";
    const weekly = settled({ wipeRule: "weekly", wipeAt });
    expect(nextAfter(weekly, "2026-04-01T00:00Z")).toEqual({
      nextWipe: "2026-05-04T12:00Z",
      nextWipeSource: "at",
    });
    expect(nextAfter(weekly, wipeAt)).toEqual({
      nextWipe: "2026-05-07T18:00Z",
      nextWipeSource: "rule",
    });
    const cron = settled({ wipeRule: "cron", wipeCron: "0 20 * * 5L", wipeAt });
    expect(nextAfter(cron, "2026-04-01T00:00Z").nextWipeSource).toBe("at");
    expect(nextAfter(cron, wipeAt)).toEqual({
      nextWipe: "2026-05-29T19:00Z",
      nextWipeSource: "cron",
    });
  });

  it.each<[string, WipeScheduleInput]>([
    ["there is no schedule", { wipeRule: null, wipeAt: "2030-01-01T00:00:00Z" }],
    ["the only moment has passed", { wipeRule: "once", wipeAt: "2020-01-01T00:00:00Z" }],
  ])("is null if %s", (_case, written) => {
    const none = { nextWipe: null, nextWipeSource: null };
    expect(nextAfter(settled(written), "2026-01-01T00:00Z")).toEqual(none);
  });

  it("is null if a stored cron or time zone is no longer valid", () => {
    const stored = settled({ wipeRule: "cron", wipeCron: "0 19 * * 4" });
    const none = { nextWipe: null, nextWipeSource: null };
    for (const broken of [{ wipeCron: "@weekly" }, { wipeTimezone: "Europe/Atlantis" }]) {
      expect(nextAfter({ ...stored, ...broken }, "2026-01-01T00:00Z")).toEqual(none);
    }
  });
});

describe("the cron of a wipe", () => {
  const parsed = (text: string) => {
    const cron = parseWipeCron(text);
    if (typeof cron === "string") throw new Error(cron);
    return cron;
  };

  it.each([
    ["0 0 30 2 *"],
    ["0 0 31 2,4,6,9,11 *"],
    ["0 0 8-14 * 4#1"],
    ["0 0 1-21 * 4L"],
    ["0 0 29 2 1#4"],
  ])("is refused as %s, which never fires", (wipeCron) => {
    expect(canFire(parsed(wipeCron))).toBe(false);
    expect(faultsOf({ wipeRule: "cron", wipeCron })).toEqual([
      { path: "wipeCron", message: "wipeCron never fires" },
    ]);
  });

  it.each([
    ["0 0 29 2 1", "2044-02-29T00:00Z"],
    ["0 0 29 2 1#5", "2044-02-29T00:00Z"],
    ["30 6 L 2 *", "2027-02-28T06:30Z"],
    ["0 12 L * 0,7", "2026-05-31T11:00Z"],
    ["0 12 * * 0#5", "2026-03-29T11:00Z"],
    ["0 12 * * 7L", "2026-03-29T11:00Z"],
    ["5/20 12 1-7/3 */6 *", "2026-07-01T11:05Z"],
    ["0 12 * * 4#1,4#3,1L", "2026-03-05T12:00Z"],
  ])("%s fires next at %s", (wipeCron, expected) => {
    const schedule = settled({ wipeRule: "cron", wipeCron });
    expect(nextAfter(schedule, "2026-03-01T12:00Z").nextWipe).toBe(expected);
  });

  it.each([
    ["", "must have five fields: minute hour day month weekday"],
    ["0 19 * *", "must have five fields: minute hour day month weekday"],
    ["0 0 19 * * 4", "must have five fields: minute hour day month weekday"],
    ["@weekly", "must have five fields: minute hour day month weekday"],
    ["60 19 * * 4", "has an unsupported minute: 60"],
    ["0 24 * * 4", "has an unsupported hour: 24"],
    ["0 19 0 * 4", "has an unsupported day of the month: 0"],
    ["0 19 32 * 4", "has an unsupported day of the month: 32"],
    ["0 19 4#1 * *", "has an unsupported day of the month: 4#1"],
    ["0 19 15W * *", "has an unsupported day of the month: 15W"],
    ["0 19 ? * 4", "has an unsupported day of the month: ?"],
    ["0 19 * JAN 4", "has an unsupported month: JAN"],
    ["0 19 * 13 4", "has an unsupported month: 13"],
    ["0 19 * * THU", "has an unsupported weekday: THU"],
    ["0 19 * * 8", "has an unsupported weekday: 8"],
    ["0 19 * * 4#6", "has an unsupported weekday: 4#6"],
    ["0 19 * * 4#0", "has an unsupported weekday: 4#0"],
    ["0 19 * * L", "has an unsupported weekday: L"],
    ["0 19 * * 5-2", "has an unsupported weekday: 5-2"],
    ["*/0 19 * * 4", "has an unsupported minute: */0"],
    ["0,,5 19 * * 4", "has an empty minute before or after a comma"],
    ["-1 19 * * 4", "has an unsupported minute: -1"],
    ["1.5 19 * * 4", "has an unsupported minute: 1.5"],
    ["٣ 19 * * 4", "has an unsupported minute: ٣"],
    [`0 19 ${"1,".repeat(60)}1 * 4`, "must be at most 120 characters long"],
  ])("is refused as %j, with the rule that it breaks", (wipeCron, rule) => {
    expect(faultsOf({ wipeRule: "cron", wipeCron })).toEqual([
      { path: "wipeCron", message: `wipeCron ${rule}` },
    ]);
  });
});

describe("a wipe schedule in a request", () => {
  const all = {
    wipeDay: 1,
    wipeTime: "20:15",
    wipeTimezone: "America/New_York",
    wipeCron: "0 19 * * 4",
    wipeAt: "2026-05-04T12:00:00+02:00",
  };
  const wipeAt = new Date("2026-05-04T10:00:00Z");
  const nothing = {
    wipeRule: null,
    wipeDay: null,
    wipeTime: null,
    wipeTimezone: null,
    wipeCron: null,
    wipeAt: null,
  };

  it("changes nothing without wipeRule, whatever else is sent", () => {
    expect(normalizeWipeSchedule(all)).toBeUndefined();
    expect(
      normalizeWipeSchedule(JSON.parse('{"__proto__":{"wipeRule":"weekly"}}')),
    ).toBeUndefined();
  });

  it.each<[WipeScheduleInput, object]>([
    [{ ...all, wipeRule: null }, {}],
    [
      { ...all, wipeRule: "once" },
      { wipeRule: "once", wipeAt },
    ],
    [
      { ...all, wipeRule: "cron" },
      { wipeRule: "cron", wipeTimezone: "America/New_York", wipeCron: "0 19 * * 4", wipeAt },
    ],
    [
      { ...all, wipeRule: "biweekly" },
      { ...all, wipeRule: "biweekly", wipeCron: null, wipeAt },
    ],
    [
      { wipeRule: "weekly" },
      { wipeRule: "weekly", wipeDay: 4, wipeTime: "19:00", wipeTimezone: "Europe/London" },
    ],
    [
      { wipeRule: "monthly", wipeDay: null, wipeTime: null, wipeTimezone: null },
      { wipeRule: "monthly", wipeDay: 4, wipeTime: "19:00", wipeTimezone: "Europe/London" },
    ],
    [
      { wipeRule: "cron", wipeCron: "0 19 * * 4" },
      { wipeRule: "cron", wipeTimezone: "Europe/London", wipeCron: "0 19 * * 4" },
    ],
    [
      { wipeRule: "once", wipeAt: "2001-01-01T00:00:00Z", wipeTimezone: "Nowhere/AtAll" },
      { wipeRule: "once", wipeAt: new Date("2001-01-01T00:00:00Z") },
    ],
  ])("stores only the fields of its rule: %j", (written, expected) => {
    expect(normalizeWipeSchedule(written)).toEqual({ ...nothing, ...expected });
  });

  it.each<[WipeScheduleInput, string[]]>([
    [{ wipeRule: "once" }, ["wipeAt is required with the rule once"]],
    [{ wipeRule: "cron" }, ["wipeCron is required with the rule cron"]],
    [{ wipeRule: "weekly", wipeTimezone: "+01:00" }, ["wipeTimezone must be an IANA time zone"]],
    [
      { wipeRule: "cron", wipeTimezone: "Mars/Olympus", wipeCron: "0 0 30 2 *" },
      ["wipeTimezone must be an IANA time zone", "wipeCron never fires"],
    ],
  ])("names each invalid field and its rule: %j", (written, messages) => {
    expect(faultsOf(written)).toEqual(
      messages.map((message) => ({ path: message.split(" ")[0], message })),
    );
  });

  it.each([
    ["wipeRule", "daily"],
    ["wipeRule", ""],
    ["wipeDay", 7],
    ["wipeDay", -1],
    ["wipeDay", 1.5],
    ["wipeTime", "24:00"],
    ["wipeTime", "7:00"],
    ["wipeTime", "19:00:00"],
    ["wipeAt", "2026-02-30T00:00:00Z"],
    ["wipeAt", "2026-05-04"],
    ["wipeAt", 1],
    ["wipeCron", 5],
  ] as const)("refuses %s with the value %j", (field, value) => {
    const { error } = wipeFields[field].validate(value, { convert: false });
    expect(error).toBeDefined();
  });
});

/** Returns the times of a year at which a cron expression fires. Checks each minute. */
function everyMinute(cron: string, zone: string, year: number): number[] {
  const begin = Date.UTC(year, 0, 1);
  const end = Date.UTC(year + 1, 0, 1);
  const fires = minuteTest(cron);
  const found = new Set<number>();
  const spans = offsetsOf(zone, begin, end);
  let lastWall = begin + (spans[0]?.offset ?? 0) - 60_000;
  for (const { from, to, offset } of spans) {
    // A local time that the clocks skip counts as the moment right after the gap.
    for (let wall = lastWall + 60_000; wall < from + offset; wall += 60_000) {
      if (fires(wall)) found.add(from);
    }
    for (let at = from; at < to; at += 60_000) {
      const wall = at + offset;
      if (wall > lastWall && fires(wall)) found.add(at);
    }
    lastWall = Math.max(lastWall, to + offset - 60_000);
  }
  return [...found].toSorted((one, other) => one - other);
}

function offsetsOf(zone: string, begin: number, end: number) {
  const spans: { from: number; to: number; offset: number }[] = [];
  let from = begin;
  while (from < end) {
    const here = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
    const change = here.getTimeZoneTransition("next")?.epochMilliseconds ?? end;
    const to = Math.min(change, end);
    spans.push({ from, to, offset: here.offsetNanoseconds / 1e6 });
    from = to;
  }
  return spans;
}

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

function minuteTest(cron: string): (wall: number) => boolean {
  const fields = cron.split(" ");
  const fits = (at: number, value: number, date: Date): boolean =>
    (fields[at] ?? "").split(",").some((item) => itemFits(item, bounds[at] ?? [0, 0], value, date));
  const unused = new Date(0);
  const minutes = Array.from({ length: 60 }, (_, minute) => fits(0, minute, unused));
  const hours = Array.from({ length: 24 }, (_, hour) => fits(1, hour, unused));
  const days = new Map<number, boolean>();
  const fitsDay = (day: number): boolean => {
    const date = new Date(day * 86_400_000);
    const weekday = date.getUTCDay();
    return (
      fits(2, date.getUTCDate(), date) &&
      fits(3, date.getUTCMonth() + 1, date) &&
      (fits(4, weekday, date) || (weekday === 0 && fits(4, 7, date)))
    );
  };
  return (wall) => {
    const minute = Math.floor(wall / 60_000);
    const day = Math.floor(minute / 1_440);
    const known = days.get(day) ?? fitsDay(day);
    days.set(day, known);
    const ofDay = minute - day * 1_440;
    return known && hours[Math.floor(ofDay / 60)] === true && minutes[ofDay % 60] === true;
  };
}

function itemFits(
  item: string,
  span: readonly [number, number],
  value: number,
  date: Date,
): boolean {
  const nextWeek = new Date(date.valueOf() + 7 * 86_400_000);
  if (item === "L") return new Date(date.valueOf() + 86_400_000).getUTCDate() === 1;
  if (item.endsWith("L")) {
    return Number(item[0]) === value && nextWeek.getUTCMonth() !== date.getUTCMonth();
  }
  const [weekday, nth] = item.split("#");
  if (nth === undefined) return rangeFits(item, span, value);
  const earlier = Math.floor((date.getUTCDate() - 1) / 7);
  return Number(weekday) === value && Number(nth) === earlier + 1;
}

function rangeFits(item: string, [lowest, highest]: readonly [number, number], value: number) {
  const [range = "", step = "1"] = item.split("/");
  const [first = 0, last] = range === "*" ? [lowest, highest] : range.split("-").map(Number);
  const top = last ?? (item.includes("/") ? highest : first);
  return value >= first && value <= top && (value - first) % Number(step) === 0;
}

describe("the next wipe of any schedule", () => {
  const number = (min: number, max: number) => fc.integer({ min, max }).map(String);
  const field = (min: number, max: number) =>
    fc.oneof(
      fc.constant("*"),
      number(min, max),
      fc.tuple(number(min, max), number(min, max)).map((both) => both.join(",")),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`),
      fc.tuple(number(min, max), fc.integer({ min: 1, max: 20 })).map((both) => both.join("/")),
      fc.integer({ min: 1, max: 20 }).map((step) => `*/${step}`),
    );
  // Use hours of the night often, because clocks change then.
  const hours = fc.oneof(field(0, 23), fc.constantFrom("0", "1", "2", "0-3"));
  const cron = fc
    .tuple(
      fc.oneof(field(0, 59), fc.constantFrom("0", "30", "*/15")),
      hours,
      fc.oneof({ weight: 3, arbitrary: fc.constant("*") }, field(1, 31), fc.constant("L")),
      fc.oneof({ weight: 3, arbitrary: fc.constant("*") }, field(1, 12)),
      fc.oneof(
        fc.constant("*"),
        field(0, 7),
        fc.tuple(number(0, 7), number(1, 5)).map((both) => both.join("#")),
        number(0, 7).map((weekday) => `${weekday}L`),
      ),
    )
    .map((fields) => fields.join(" "));
  const zones = [
    "Europe/London",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "America/St_Johns",
    "Africa/Casablanca",
    "Pacific/Apia",
  ];

  it("equals the first match in a check of every minute of a year", () => {
    fc.assert(
      fc.property(
        cron,
        fc.constantFrom(...zones),
        fc.constantFrom(2011, 2025, 2026),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
          minLength: 1,
          maxLength: 8,
        }),
        (wipeCron, wipeTimezone, year, moments) => {
          const begin = Date.UTC(year, 0, 1);
          const length = Date.UTC(year + 1, 0, 1) - begin;
          const expected = everyMinute(wipeCron, wipeTimezone, year);
          const changes = offsetsOf(wipeTimezone, begin, begin + length).slice(1);
          const schedule: WipeSchedule = {
            wipeRule: "cron",
            wipeDay: null,
            wipeTime: null,
            wipeTimezone,
            wipeCron,
            wipeAt: null,
          };
          const nows = [
            ...moments.map((moment) => Math.floor(begin + moment * length)),
            ...changes.flatMap(({ from }) => [from - 1, from, from - 5_400_000, from + 1_800_000]),
          ];
          for (const now of nows) {
            const next = resolveNextWipe(schedule, new Date(now)).nextWipe?.valueOf() ?? null;
            const within = next !== null && next < begin + length ? next : null;
            expect(within).toBe(expected.find((instant) => instant > now) ?? null);
            if (next === null) continue;
            expect(next).toBeGreaterThan(now);
            // The next wipe stays the same until it happens.
            const later = new Date(now + Math.floor((next - 1 - now) / 2));
            expect(resolveNextWipe(schedule, later).nextWipe?.valueOf()).toBe(next);
          }
        },
      ),
      { numRuns: propertyRunsOf(60) },
    );
  });

  it("exists for a random cron text if and only if the text is valid and matches some time", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from("0123456789*,-/#L \t\0WX٣")) }),
        (text) => {
          const schedule = { ...settled({ wipeRule: "weekly" }), wipeRule: "cron", wipeCron: text };
          const read = parseWipeCron(text);
          const { nextWipe } = resolveNextWipe(schedule as WipeSchedule, new Date());
          expect(nextWipe !== null).toBe(typeof read !== "string" && canFire(read));
        },
      ),
    );
  });
});
