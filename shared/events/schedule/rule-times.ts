import { Temporal } from "temporal-polyfill";

/** Maximum number of times per day: one every five minutes. */
const maxTimesPerDay = 288;

/** Maximum number of wall times per period of a rule with BYSETPOS. */
const maxCountedTimes = 1_000;

const daysOf: Readonly<Record<string, number>> = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 };

const partsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(";").map((part) => {
      const [name = "", value = ""] = part.split("=");
      return [name, value];
    }),
  );

/** @returns the limit that a rule exceeds, as text, or undefined */
export function describeExceededLimit(text: string): string | undefined {
  const times = countTimes(partsOf(text));
  if (times > maxTimesPerDay) {
    return `fires ${times} times a day, at most ${maxTimesPerDay} are allowed`;
  }
  return isRuleTooExpensive(text)
    ? `has BYSETPOS with periods of more than ${maxCountedTimes} wall times`
    : undefined;
}

/** Returns true if a search of the rule would go through too many wall times. */
export function isRuleTooExpensive(text: string): boolean {
  if (!hasBySetPosition(text)) return false;
  const parts = partsOf(text);
  return countTimes(parts) * (daysOf[parts.get("FREQ") ?? ""] ?? 0) > maxCountedTimes;
}

export const hasBySetPosition = (text: string): boolean => partsOf(text).has("BYSETPOS");

/** Returns the rule without its times of day; `listTimesOfDay` returns those. */
export const removeRuleTimes = (text: string): string =>
  text
    .split(";")
    .filter((part) => !/^BY(HOUR|MINUTE)=/.test(part))
    .join(";");

/** Returns the rule's times of day in order. Its start supplies an omitted hour or minute. */
export function listTimesOfDay(
  text: string,
  { hour, minute, second }: Temporal.PlainDateTime,
): Temporal.PlainTime[] {
  const parts = partsOf(text);
  const hours = numbersIn(parts.get("BYHOUR"), hour);
  const minutes = numbersIn(parts.get("BYMINUTE"), minute);
  return hours.flatMap((h) =>
    minutes.map((m) => Temporal.PlainTime.from({ hour: h, minute: m, second })),
  );
}

const countTimes = (parts: ReadonlyMap<string, string>): number =>
  numbersIn(parts.get("BYHOUR"), 0).length * numbersIn(parts.get("BYMINUTE"), 0).length;

const numbersIn = (list: string | undefined, otherwise: number): number[] =>
  list === undefined
    ? [otherwise]
    : [...new Set(list.split(",").map(Number))].toSorted((one, other) => one - other);
