import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";

import { hasBySetPosition, listTimesOfDay, removeRuleTimes } from "./rule-times.ts";

const areIntegers = (...bounds: readonly (readonly [number, number])[]) => {
  const fits = (text: string): boolean =>
    /^[+-]?\d{1,3}$/.test(text) &&
    bounds.some(([min, max]) => Number(text) >= min && Number(text) <= max);
  return (value: string): boolean => value.split(",").every(fits);
};

interface RulePart {
  readonly fits: (value: string) => boolean;
  /** The words after `must be` in the fault's message. */
  readonly rule: string;
}

const between = (min: number, max: number): RulePart => ({
  fits: areIntegers([min, max]),
  rule: `whole numbers from ${min} to ${max}`,
});

const around = (max: number): RulePart => ({
  fits: areIntegers([-max, -1], [1, max]),
  rule: `whole numbers from 1 to ${max}, or from -${max} to -1`,
});

const matching = (form: RegExp, rule: string): RulePart => ({
  fits: (value) => form.test(value),
  rule,
});

/** The allowed parts of a rule (RFC 5545), and the allowed values of each. */
const parts: Readonly<Record<string, RulePart>> = {
  FREQ: matching(/^(DAILY|WEEKLY|MONTHLY|YEARLY)$/, "DAILY, WEEKLY, MONTHLY or YEARLY"),
  INTERVAL: matching(/^[1-9]\d{0,2}$/, "a whole number from 1 to 999"),
  BYMONTH: between(1, 12),
  BYWEEKNO: around(53),
  BYYEARDAY: around(366),
  BYMONTHDAY: around(31),
  BYDAY: {
    fits: (value) =>
      value.split(",").every((day) => /^([+-]?[1-9]\d?)?(MO|TU|WE|TH|FR|SA|SU)$/.test(day)),
    rule: "days such as MO, 2TU or -1FR",
  },
  BYHOUR: between(0, 23),
  BYMINUTE: between(0, 59),
  BYSETPOS: around(366),
  WKST: matching(/^(MO|TU|WE|TH|FR|SA|SU)$/, "a day such as MO"),
};

/** Returns the stored spelling: in capitals, without `RRULE:` and without a final semicolon. */
export const normalizeRule = (text: string): string =>
  text
    .trim()
    .replace(/^RRULE:/i, "")
    .replace(/;$/, "")
    .toUpperCase();

const maxLength = 1_000;

/** Maximum number of steps in the search for the first occurrence. */
const maxSearchSteps = 5_000;

/** @returns the fault of a rule in its stored spelling, or undefined */
export function findRuleFault(text: string): string | undefined {
  if (text.length > maxLength) return `must be at most ${maxLength} characters long`;
  const given = text.split(";");
  const fault = given.map(findPartFault).find((one) => one !== undefined);
  if (fault !== undefined) return fault;
  const names = given.map((part) => part.split("=")[0]);
  if (new Set(names).size < names.length) return "has a part twice";
  if (!names.includes("FREQ")) return "must have FREQ";
  return undefined;
}

const emptyPartMessage =
  "has an empty part: two semicolons follow each other, or the rule is empty";

function findPartFault(text: string): string | undefined {
  if (text === "") return emptyPartMessage;
  const [name = "", ...values] = text.split("=");
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (!part) return `has an unsupported part: ${text.slice(0, 60)}`;
  const [value] = values;
  if (values.length === 1 && value !== undefined && part.fits(value)) return undefined;
  return `has an invalid ${name}: it must be ${part.rule}`;
}

/** The start and the end of a rule in wall time, both inclusive. */
export interface RuleSpan {
  readonly at: Temporal.PlainDateTime;
  readonly until: Temporal.PlainDateTime | null;
}

/**
 * The wall times of a rule. The library is given UTC: with a time zone, it omits a day on which a clock change
 * skips the wall time. The library searches only days, and this class adds the hours and minutes; otherwise the
 * library would go through all times of a period for each answer. A rule with BYSETPOS selects among these times,
 * so the library computes its wall times.
 */
export class RecurrenceRule {
  readonly #rule: RRuleTemporal;
  readonly #span: RuleSpan;
  /** The times added to each day; null if the library computes the wall times itself. */
  readonly #times: readonly Temporal.PlainTime[] | null;
  /** The last search and its result, reused for callers that ask in order. */
  #known: { readonly from: Temporal.PlainDateTime; readonly first: SearchResult } | undefined;

  /** @throws if the text is not a rule that RFC 5545 allows */
  constructor(text: string, span: RuleSpan) {
    const { at, until } = span;
    const isWhole = hasBySetPosition(text);
    this.#span = span;
    this.#times = isWhole ? null : listTimesOfDay(text, at);
    const last = isWhole ? until : until?.with(endOfDay);
    this.#rule = new RRuleTemporal({
      rruleString: `RRULE:${isWhole ? text : removeRuleTimes(text)}`,
      dtstart: inUtc(isWhole ? at : at.withPlainTime()),
      ...(last && { until: inUtc(last) }),
      temporal: Temporal,
      strict: true,
      maxIterations: maxSearchSteps,
    });
  }

  /** Returns the rule's first wall time at or after `wall`; null if the search finds none. */
  firstFrom(wall: Temporal.PlainDateTime): SearchResult {
    return this.from(wall).next().value ?? null;
  }

  /** Returns true if a wall time belongs to the rule. */
  hasWallTime(wall: Temporal.PlainDateTime): boolean {
    const known = this.#known;
    const isKnown =
      known && !isBefore(wall, known.from) && !(known.first && isBefore(known.first, wall));
    const { first } = isKnown ? known : (this.#known = { from: wall, first: this.firstFrom(wall) });
    return first?.equals(wall) ?? false;
  }

  /** Yields the rule's wall times from `wall` on, in order, until the caller stops. */
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

  #search(wall: Temporal.PlainDateTime, isIncluded: boolean): SearchResult {
    return searchOr(
      () => this.#rule.next(inUtc(wall), isIncluded)?.toPlainDateTime() ?? null,
      null,
    );
  }
}

type SearchResult = Temporal.PlainDateTime | null;

const endOfDay = { hour: 23, minute: 59, second: 59 };

const inUtc = (wall: Temporal.PlainDateTime): Temporal.ZonedDateTime => wall.toZonedDateTime("UTC");

const isBefore = (one: Temporal.PlainDateTime, other: Temporal.PlainDateTime): boolean =>
  Temporal.PlainDateTime.compare(one, other) < 0;

/**
 * Returns `otherwise` if the library throws, as it does if it finds nothing or passes the end of the calendar.
 */
function searchOr<T>(search: () => T, otherwise: T): T {
  try {
    return search();
  } catch {
    return otherwise;
  }
}
