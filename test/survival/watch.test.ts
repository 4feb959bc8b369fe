import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  type ServerCheckResult,
  updateObservation,
  maxCheckGapMs,
  type ServerObservation,
} from "../../shared/survival/ingest/watch-servers.ts";
import { upcomingWipeNotifications } from "../../shared/survival/wipes/next-wipe.ts";

const graceMs = 90_000;
const everyMs = 5_000;

interface PresenceAnnouncement {
  readonly isOnline: boolean;
  readonly since: number;
  /** The time of the check that caused the announcement. */
  readonly at: number;
}

/** Evaluates checks one after another. @returns the announcements */
function watch(looks: readonly ServerCheckResult[]): PresenceAnnouncement[] {
  let sight: ServerObservation | undefined;
  return looks.flatMap((look) => {
    const turn = updateObservation(sight, look, graceMs);
    sight = turn.sight;
    return turn.turned ? [{ ...turn.turned, at: look.at }] : [];
  });
}

/** Returns checks at equal intervals. A `+` stands for online, a `-` for offline. */
const at = (looks: string, from = 0): ServerCheckResult[] =>
  Array.from(looks, (sign, index) => ({ isOnline: sign === "+", at: from + index * everyMs }));

const times = (sign: string, count: number) => sign.repeat(count);

describe("a server that is watched for outages", () => {
  it("is reported offline and online again, each after the grace period", () => {
    const looks = at(`+${times("-", 19)}${times("+", 19)}`);
    expect(watch(looks)).toEqual([
      { isOnline: false, since: 5_000, at: 95_000 },
      { isOnline: true, since: 100_000, at: 190_000 },
    ]);
  });

  it("is not reported if its state returns to the former one within the grace period", () => {
    expect(watch(at(times(`+${times("-", 17)}`, 5)))).toEqual([]);
    const looks = at(`+${times("-", 19)}${times(`${times("+", 17)}-`, 5)}`);
    expect(watch(looks)).toHaveLength(1);
  });

  it("is not reported when it is seen for the first time, whether it is online or offline", () => {
    expect(watch(at(times("+", 50)))).toEqual([]);
    expect(watch(at(times("-", 50)))).toEqual([]);
    expect(watch(at(`${times("-", 10)}${times("+", 50)}`))).toEqual([]);
  });

  it("counts as seen for the first time after a long pause of the checks", () => {
    const [before, after] = [at("+--"), at(times("-", 50), 500_000)];
    expect(watch([...before, ...after])).toEqual([]);
  });

  it("is reported offline and online alternately, each after the grace period", () => {
    const steps = fc.array(
      fc.record({ isOnline: fc.boolean(), wait: fc.integer({ min: 1, max: maxCheckGapMs }) }),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(steps, (all) => {
        let now = 0;
        const told = watch(all.map(({ isOnline, wait }) => ({ isOnline, at: (now += wait) })));
        expect(told.filter(({ since, at: then }) => then - since < graceMs)).toEqual([]);
        const turns = told.map(({ isOnline }) => isOnline);
        expect(turns.filter((turn, index) => turn === turns[index - 1])).toEqual([]);
      }),
    );
  });
});

describe("a wipe", () => {
  it("is announced 24 hours and 1 hour in advance, by any check in the quarter of an hour after that", () => {
    const wipeAt = Date.UTC(2026, 5, 1);
    const hour = 3_600_000;
    const server = {
      id: 1,
      wipeRule: "once",
      wipeDay: null,
      wipeTime: null,
      wipeTimezone: null,
      wipeCron: null,
      wipeAt: new Date(wipeAt),
    } as const;
    const near = (hours: number) =>
      upcomingWipeNotifications(server, wipeAt - hours * hour).map(
        ({ variables }) => variables["hoursLeft"],
      );
    expect([24.01, 24, 23.76, 23.74, 1.01, 1, 0.76, 0.74, 0].map(near)).toEqual([
      [],
      [24],
      [24],
      [],
      [],
      [1],
      [1],
      [],
      [],
    ]);
  });
});
