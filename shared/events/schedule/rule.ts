import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";

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
 * leave out the day whose wall time summer time skips.
 */
export class Rule {
  readonly #rule: RRuleTemporal;
  readonly #at: Temporal.ZonedDateTime;

  /** @throws when the text is no rule that RFC 5545 allows */
  constructor(text: string, { at, until }: RuleSpan) {
    this.#at = at.toZonedDateTime("UTC");
    this.#rule = new RRuleTemporal({
      rruleString: `RRULE:${text}`,
      dtstart: this.#at,
      ...(until && { until: until.toZonedDateTime("UTC") }),
      temporal: Temporal,
      strict: true,
      maxIterations: mostSearched,
    });
  }

  /** The first wall time at or after one; null where there is none within the search. */
  firstFrom(wall: Temporal.PlainDateTime): Temporal.PlainDateTime | null {
    const from = this.#notBefore(wall);
    return within(() => this.#rule.next(from, true)?.toPlainDateTime() ?? null, null);
  }

  /** Wall times at or after one, in order, for as long as somebody asks. */
  *from(wall: Temporal.PlainDateTime): Generator<Temporal.PlainDateTime, void, void> {
    let next = this.firstFrom(wall);
    while (next) {
      yield next;
      next = this.#after(next);
    }
  }

  #after(wall: Temporal.PlainDateTime): Temporal.PlainDateTime | null {
    const from = wall.toZonedDateTime("UTC");
    return within(() => this.#rule.next(from, false)?.toPlainDateTime() ?? null, null);
  }

  #notBefore(wall: Temporal.PlainDateTime): Temporal.ZonedDateTime {
    const from = wall.toZonedDateTime("UTC");
    return Temporal.ZonedDateTime.compare(from, this.#at) < 0 ? this.#at : from;
  }
}

/** The library throws when it has searched in vain, or past the end of the calendar. */
function within<T>(search: () => T, otherwise: T): T {
  try {
    return search();
  } catch {
    return otherwise;
  }
}
