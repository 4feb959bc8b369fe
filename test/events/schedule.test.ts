import * as fc from "fast-check";
import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";

import {
  findFirstOccurrence,
  createOccurrencePredicate,
  listOccurrences,
} from "../../shared/events/schedule/schedule.ts";
import { isTimeZone, parseWallTime } from "../../shared/platform/time/wall-time.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";

const daily = (at: string, rest: object = {}) =>
  ({ kind: "recurring", at, rrule: "FREQ=DAILY", until: null, ...rest }) as const;

const instants = (
  schedule: Parameters<typeof listOccurrences>[0],
  zone: string,
  [from, to]: readonly [string, string],
  most = 1_000,
) => {
  const window = { from: new Date(from), to: new Date(to) };
  return listOccurrences(schedule, zone, window, most).map((instant) => instant.toISOString());
};

const at = (...texts: string[]) => texts.map((text) => new Date(text).toISOString());

describe("occurrences of a schedule", () => {
  it.each([
    [
      "Europe/Berlin",
      "02:30",
      "2026-03-28",
      "2026-03-28T02:30+01:00",
      "2026-03-29T03:30+02:00",
      "2026-03-30T02:30+02:00",
    ],
    [
      "America/New_York",
      "02:15",
      "2026-03-07",
      "2026-03-07T02:15-05:00",
      "2026-03-08T03:15-04:00",
      "2026-03-09T02:15-04:00",
    ],
    // Lord Howe Island moves its clocks by half an hour for summer time.
    [
      "Australia/Lord_Howe",
      "02:10",
      "2026-10-03",
      "2026-10-03T02:10+10:30",
      "2026-10-04T02:40+11:00",
      "2026-10-05T02:10+11:00",
    ],
  ])(
    "move later by the gap if a clock change skips their wall time: %s",
    (zone, time, day, ...expected) => {
      const [first, , last] = expected.map((text) => new Date(text));
      const window = [
        (first as Date).toISOString(),
        new Date((last as Date).valueOf() + 1).toISOString(),
      ] as const;
      expect(instants(daily(`${day}T${time}`), zone, window)).toEqual(at(...expected));
    },
  );

  it.each([
    [
      "Europe/Berlin",
      "02:30",
      "2026-10-24",
      "2026-10-24T02:30+02:00",
      "2026-10-25T02:30+02:00",
      "2026-10-26T02:30+01:00",
    ],
    [
      "America/New_York",
      "01:15",
      "2026-10-31",
      "2026-10-31T01:15-04:00",
      "2026-11-01T01:15-04:00",
      "2026-11-02T01:15-05:00",
    ],
    [
      "Australia/Lord_Howe",
      "01:45",
      "2026-04-04",
      "2026-04-04T01:45+11:00",
      "2026-04-05T01:45+11:00",
      "2026-04-06T01:45+10:30",
    ],
  ])("use the first of two equal wall times: %s", (zone, time, day, ...expected) => {
    const [first, , last] = expected.map((text) => new Date(text));
    const window = [
      (first as Date).toISOString(),
      new Date((last as Date).valueOf() + 1).toISOString(),
    ] as const;
    expect(instants(daily(`${day}T${time}`), zone, window)).toEqual(at(...expected));
  });

  it("keep their wall time across a clock change", () => {
    const weekly = { ...daily("2026-10-17T20:00"), rrule: "FREQ=WEEKLY;BYDAY=SA" };
    expect(instants(weekly, "Europe/Berlin", ["2026-10-17T00:00Z", "2026-11-08T00:00Z"])).toEqual(
      at("2026-10-17T18:00Z", "2026-10-24T18:00Z", "2026-10-31T19:00Z", "2026-11-07T19:00Z"),
    );
  });

  it("are merged if a skipped wall time moves to another occurrence", () => {
    const both = daily("2026-03-29T00:30", { rrule: "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=30" });
    expect(instants(both, "Europe/Berlin", ["2026-03-29T00:00Z", "2026-03-30T00:00Z"])).toEqual(
      at("2026-03-29T01:30Z"),
    );
  });

  it("are in order even if a skipped wall time moves past the next occurrence", () => {
    const quarters = daily("2026-03-29T00:30", {
      rrule: "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=15,45;BYSETPOS=2,3",
    });
    const day = ["2026-03-29T00:00Z", "2026-03-30T00:00Z"] as const;
    const expected = at("2026-03-29T01:15Z", "2026-03-29T01:45Z");
    expect(instants(quarters, "Europe/Berlin", day)).toEqual(expected);
    expect(instants(quarters, "Europe/Berlin", day, 1)).toEqual(expected.slice(0, 1));
  });

  it("move to the next day if the zone skipped a whole day", () => {
    const all = instants(daily("2011-12-28T12:00"), "Pacific/Apia", [
      "2011-12-28T00:00Z",
      "2012-01-02T00:00Z",
    ]);
    expect(all).toEqual(
      at(
        "2011-12-28T22:00Z",
        "2011-12-29T22:00Z",
        "2011-12-30T22:00Z",
        "2011-12-31T22:00Z",
        "2012-01-01T22:00Z",
      ),
    );
  });

  it("occur only in leap years if the rule names February 29", () => {
    const leap = daily("2026-02-28T12:00", { rrule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29" });
    expect(instants(leap, "UTC", ["2026-01-01T00:00Z", "2037-01-01T00:00Z"])).toEqual(
      at("2028-02-29T12:00Z", "2032-02-29T12:00Z", "2036-02-29T12:00Z"),
    );
  });

  it("include a time exactly at the end of the schedule", () => {
    const bound = (until: string) =>
      instants(daily("2026-12-05T20:00", { until }), "UTC", [
        "2026-12-01T00:00Z",
        "2027-01-01T00:00Z",
      ]).length;
    expect([
      bound("2026-12-07T20:00"),
      bound("2026-12-07T19:59"),
      bound("2026-12-07T20:00:00"),
    ]).toEqual([3, 2, 3]);
  });

  it("include the start time only if the rule matches it", () => {
    const mondays = daily("2026-12-05T20:00", { rrule: "FREQ=WEEKLY;BYDAY=MO" });
    expect(instants(mondays, "UTC", ["2026-12-01T00:00Z", "2026-12-10T00:00Z"])).toEqual(
      at("2026-12-07T20:00Z"),
    );
  });

  it("are exactly one for the kind once, and none for the kind manual", () => {
    const span = ["2026-12-01T00:00Z", "2027-01-01T00:00Z"] as const;
    expect(instants({ kind: "once", at: "2026-12-05T20:00" }, "Europe/Berlin", span)).toEqual(
      at("2026-12-05T19:00Z"),
    );
    expect(instants({ kind: "manual" }, "Europe/Berlin", span)).toEqual([]);
    expect(
      findFirstOccurrence(
        { kind: "once", at: "2026-12-05T20:00" },
        "UTC",
        new Date("2026-12-06T00:00Z"),
      ),
    ).toBeNull();
  });

  it("are found decades ahead", () => {
    const far = instants(daily("2026-12-05T20:00"), "Europe/Berlin", [
      "2090-07-01T00:00Z",
      "2090-07-03T00:00Z",
    ]);
    expect(far).toEqual(at("2090-07-01T18:00Z", "2090-07-02T18:00Z"));
  });

  it("lie in the requested window, in order, without duplicates, and at the rule's wall time", () => {
    const zones = [
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "Pacific/Apia",
      "Asia/Kolkata",
      "UTC",
    ];
    const twoDigits = (number: number) => String(number).padStart(2, "0");
    const span = { from: new Date("2026-01-01T00:00Z"), to: new Date("2027-01-01T00:00Z") };
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        fc.integer({ min: 0, max: 300 }),
        (zone, hour, minute, days) => {
          const schedule = daily(`2025-06-01T${twoDigits(hour)}:${twoDigits(minute)}`);
          const from = new Date(span.from.valueOf() + days * 86_400_000);
          const to = new Date(from.valueOf() + 30 * 86_400_000);
          const found = listOccurrences(schedule, zone, { from, to }, 1_000);
          expect(found.length).toBeGreaterThanOrEqual(29);
          expect(found.length).toBeLessThanOrEqual(31);
          for (const [index, instant] of found.entries()) {
            expect(instant >= from && instant < to).toBe(true);
            expect(instant > (found[index - 1] ?? new Date(0))).toBe(true);
          }
          const shown = found.map((instant) =>
            Temporal.Instant.fromEpochMilliseconds(instant.valueOf()).toZonedDateTimeISO(zone),
          );
          // An occurrence has another local time than the schedule only on a day on which the clocks skip that
          // time.
          const odd = shown.filter((time) => time.hour !== hour || time.minute !== minute);
          expect(odd.length).toBeLessThanOrEqual(1);
          expect(odd.every((time) => time.hoursInDay !== 24)).toBe(true);
          expect(listOccurrences(schedule, zone, { from, to }, 5)).toEqual(found.slice(0, 5));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a recurrence rule", () => {
  const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { maxLength: 3 });
  const minutesOfRules = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 3 });
  const listed = (name: string, values: readonly (number | string)[]) =>
    values.length > 0 ? `;${name}=${values.join(",")}` : "";
  const rules = fc
    .tuple(
      fc.constantFrom(
        "FREQ=DAILY",
        "FREQ=DAILY;INTERVAL=3",
        "FREQ=WEEKLY",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,MO",
        "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,WE",
        "FREQ=MONTHLY",
        "FREQ=MONTHLY;BYDAY=-1SA",
        "FREQ=MONTHLY;BYDAY=MO,FR;BYSETPOS=-1",
        "FREQ=MONTHLY;BYMONTHDAY=31,-3",
        "FREQ=YEARLY;BYMONTH=3,10;BYDAY=SU",
        "FREQ=YEARLY;BYWEEKNO=13,44;BYDAY=SA,SU",
      ),
      hours,
      minutesOfRules,
    )
    .map(([rule, h, m]) => rule + listed("BYHOUR", h) + listed("BYMINUTE", m));
  const walls = fc.constantFrom("2026-01-01T00:00", "2026-03-28T02:30:15", "2026-10-25T23:59");
  const ofTheYear = { from: new Date("2026-03-01T00:00Z"), to: new Date("2026-11-15T00:00Z") };

  it("gives the same occurrences as a reference library, and recognizes each of them", () => {
    fc.assert(
      fc.property(rules, walls, fc.boolean(), (rrule, first, isBound) => {
        const until = isBound ? "2026-10-03T12:00" : null;
        const schedule = { kind: "recurring", at: first, rrule, until } as const;
        const inUtc = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime("UTC");
        const library = new RRuleTemporal({
          rruleString: `RRULE:${rrule}`,
          dtstart: inUtc(first),
          ...(until && { until: inUtc(until) }),
          temporal: Temporal,
          strict: true,
        });
        const whole = library.between(ofTheYear.from, new Date(ofTheYear.to.valueOf() - 1), true);
        expect(listOccurrences(schedule, "UTC", ofTheYear, 10_000).map(Number)).toEqual(
          whole.map((one) => one.epochMilliseconds),
        );
        const given = listOccurrences(schedule, "Europe/Berlin", ofTheYear, 10_000);
        const isGiven = createOccurrencePredicate(schedule, "Europe/Berlin");
        expect(given.filter((instant) => !isGiven(instant))).toEqual([]);
        const known = new Set(given.map(Number));
        const hourly = Array.from(
          { length: 600 },
          (_, hour) => new Date(Date.parse("2026-03-20T00:30Z") + hour * 3_600_000),
        );
        for (const instant of hourly) expect(isGiven(instant)).toBe(known.has(instant.valueOf()));
      }),
      { numRuns: propertyRunsOf(150) },
    );
  });

  it("gives every occurrence of a month even if it has thousands of wall times a year", () => {
    const all = "MO,TU,WE,TH,FR,SA,SU";
    const times = Array.from({ length: 20 }, (_, third) => third * 3).join(",");
    const rrule = `FREQ=YEARLY;BYDAY=${all};BYHOUR=1,2,3,4,5,6,7,8;BYMINUTE=${times}`;
    const month = ["2027-06-01T00:00Z", "2027-07-01T00:00Z"] as const;
    // Calculating all occurrences since the start would take seconds, so the search must begin shortly before the
    // requested month.
    const found = instants(daily("2026-01-01T00:00", { rrule }), "UTC", month, 5_000);
    expect([found.length, new Set(found).size]).toEqual([4_800, 4_800]);
  });

  it("gives no occurrences if it combines BYSETPOS with too many wall times", () => {
    const minutes = Array.from({ length: 60 }, (_, minute) => minute).join(",");
    const rrule = `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYMINUTE=${minutes};BYSETPOS=1`;
    const span = ["2026-01-01T00:00Z", "2027-01-01T00:00Z"] as const;
    expect(instants(daily("2026-01-01T00:00", { rrule }), "UTC", span)).toEqual([]);
  });
});

describe("a wall time or a time zone", () => {
  it("is accepted only in the exact spelling of the calendar or of IANA", () => {
    const zones = ["Europe/Berlin", "UTC", "Asia/Kolkata", "America/Argentina/Buenos_Aires"];
    expect(zones.filter(isTimeZone)).toEqual(zones);
    const none = [
      "europe/berlin",
      "utc",
      "+01:00",
      "Berlin",
      "",
      "Europe/Berlin[u-ca=iso8601]",
      "Mars/Phobos",
      "Z",
    ];
    expect(none.filter(isTimeZone)).toEqual([]);
    const walls = ["2026-12-05T20:00", "2028-02-29T00:00:59"];
    expect(walls.map((text) => parseWallTime(text)?.toString())).toEqual([
      "2026-12-05T20:00:00",
      "2028-02-29T00:00:59",
    ]);
    const odd = [
      "2026-02-29T00:00",
      "2026-12-05",
      "2026-12-05 20:00",
      "2026-12-05T24:00",
      "2026-12-05T20:00Z",
      "2026-12-05T20:00:60",
    ];
    expect(odd.map(parseWallTime)).toEqual(odd.map(() => undefined));
  });

  it("is checked without an exception for any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect([isTimeZone(text), parseWallTime(text)]).toHaveLength(2);
      }),
    );
  });
});
