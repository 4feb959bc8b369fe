import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";

import { countsPositions, timesOfDay, withoutTimes } from "./rule-times.ts";

const integers = (...bounds: readonly (readonly [number, number])[]) => {
  const fits = (text: string): boolean =>
    /^[+-]?\d{1,3}$/.test(text) &&
    bounds.some(([min, max]) => Number(text) >= min && Number(text) <= max);
  return (value: string): boolean => value.split(",").every(fits);
};

const around = (max: number) => integers([-max, -1], [1, max]);

/** The parts that a rule may have (RFC 5545), each with what its value must be. */
const parts: Readonly<Record<string, (value: string) => boolean>> = {
  FREQ: (value) => /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(value),
  INTERVAL: (value) => /^[1-9]\d{0,2}$/.test(value),
  BYMONTH: integers([1, 12]),
  BYWEEKNO: around(53),
  BYYEARDAY: around(366),
  BYMONTHDAY: around(31),
  BYDAY: (value) =>
    value.split(",").every((day) => /^([+-]?[1-9]\d?)?(MO|TU|WE|TH|FR|SA|SU)$/.test(day)),
  BYHOUR: integers([0, 23]),
  BYMINUTE: integers([0, 59]),
  BYSETPOS: around(366),
  WKST: (value) => /^(MO|TU|WE|TH|FR|SA|SU)$/.test(value),
};

const longest = 1_000;

/** Steps in which the first firing has to be found. */
const mostSearched = 5_000;

/** @returns what is wrong with the text of a rule, or undefined */
export function ruleFault(text: string): string | undefined {
  if (text.length > longest) return `must be at most ${longest} characters long`;
  const given = text.split(";").map((part) => part.split("="));
  const names = given.map(([name = ""]) => name);
  const bad = given.find(([name = "", value, ...rest]) => rest.length > 0 || !fits(name, value));
  if (bad) return `has a part that is not taken: ${bad.join("=").slice(0, 60)}`;
  if (new Set(names).size < names.length) return "names a part twice";
  if (!names.includes("FREQ")) return "must say FREQ";
  return undefined;
}

const fits = (name: string, value: string | undefined): boolean =>
  value !== undefined && Object.hasOwn(parts, name) && (parts[name]?.(value) ?? false);

/** When a rule begins and ends, in wall time; the end is part of it. */
export interface RuleSpan {
  readonly at: Temporal.PlainDateTime;
  readonly until: Temporal.PlainDateTime | null;
}

/**
 * Wall times of a rule. The library is given UTC, where no wall time is skipped: in a zone it would
 * leave out the day whose wall time summer time skips. It is asked for days alone, because it goes
 * through all that a period gives for each answer; the times of a day are the rule's own hours and
 * minutes. Only a rule that counts positions is the library's whole.
 */
export class Rule {
  readonly #rule: RRuleTemporal;
  readonly #span: RuleSpan;
  /** Of each day that the library finds; null where it finds wall times. */
  readonly #times: readonly Temporal.PlainTime[] | null;
  /** What was last searched for and found: whoever asks in order asks for it again. */
  #known: { readonly from: Temporal.PlainDateTime; readonly first: Found } | undefined;

  /** @throws when the text is no rule that RFC 5545 allows */
  constructor(text: string, span: RuleSpan) {
    const { at, until } = span;
    const isWhole = countsPositions(text);
    this.#span = span;
    this.#times = isWhole ? null : timesOfDay(text, at);
    const last = isWhole ? until : until?.with(endOfDay);
    this.#rule = new RRuleTemporal({
      rruleString: `RRULE:${isWhole ? text : withoutTimes(text)}`,
      dtstart: inUtc(isWhole ? at : at.withPlainTime()),
      ...(last && { until: inUtc(last) }),
      temporal: Temporal,
      strict: true,
      maxIterations: mostSearched,
    });
  }

  /** The first wall time at or after one; null where there is none within the search. */
  firstFrom(wall: Temporal.PlainDateTime): Found {
    return this.from(wall).next().value ?? null;
  }

  /** Whether a wall time is one of the rule's. */
  gives(wall: Temporal.PlainDateTime): boolean {
    const known = this.#known;
    const isKnown =
      known && !isBefore(wall, known.from) && !(known.first && isBefore(known.first, wall));
    const { first } = isKnown ? known : (this.#known = { from: wall, first: this.firstFrom(wall) });
    return first?.equals(wall) ?? false;
  }

  /** Wall times at or after one, in order, for as long as somebody asks. */
  *from(wall: Temporal.PlainDateTime): Generator<Temporal.PlainDateTime, void, void> {
    const { at, until } = this.#span;
    const from = isBefore(wall, at) ? at : wall;
    let found = this.#search(this.#times ? from.withPlainTime() : from, true);
    while (found) {
      for (const next of this.#within(found)) {
        if (until && isBefore(until, next)) return;
        if (!isBefore(next, from)) yield next;
      }
      found = this.#search(found, false);
    }
  }

  #within(found: Temporal.PlainDateTime): readonly Temporal.PlainDateTime[] {
    return this.#times ? this.#times.map((time) => found.withPlainTime(time)) : [found];
  }

  #search(wall: Temporal.PlainDateTime, isIncluded: boolean): Found {
    return within(() => this.#rule.next(inUtc(wall), isIncluded)?.toPlainDateTime() ?? null, null);
  }
}

type Found = Temporal.PlainDateTime | null;

const endOfDay = { hour: 23, minute: 59, second: 59 };

const inUtc = (wall: Temporal.PlainDateTime): Temporal.ZonedDateTime => wall.toZonedDateTime("UTC");

const isBefore = (one: Temporal.PlainDateTime, other: Temporal.PlainDateTime): boolean =>
  Temporal.PlainDateTime.compare(one, other) < 0;

/** The library throws when it has searched in vain, or past the end of the calendar. */
function within<T>(search: () => T, otherwise: T): T {
  try {
    return search();
  } catch {
    return otherwise;
  }
}
