import { Temporal } from "temporal-polyfill";

const wallForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:[0-5]\d)?$/;

/** A wall time as it is written, without a zone; undefined when it is none that the calendar has. */
export function parseWallTime(text: string): Temporal.PlainDateTime | undefined {
  if (!wallForm.test(text)) return undefined;
  try {
    return Temporal.PlainDateTime.from(text, { overflow: "reject" });
  } catch {
    return undefined;
  }
}

/** Whether a name is an IANA zone as it is spelt there. */
export function isTimeZone(name: string): boolean {
  // An offset is no zone: it knows nothing of summer time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return (
      Temporal.PlainDateTime.from("2000-01-01T00:00").toZonedDateTime(name).timeZoneId === name
    );
  } catch {
    return false;
  }
}

/**
 * What becomes of a wall time that summer time skips. `shift`: it is later by the gap, 02:30 as 03:30.
 * `end`: it is the first instant after the gap, 02:30 as 03:00.
 */
export type GapRule = "shift" | "end";

/** The instant of a wall time; of one that comes twice it is the first. */
export function instantOf(
  wall: Temporal.PlainDateTime,
  zone: string,
  gapRule: GapRule = "shift",
): Date {
  const shifted = wall.toZonedDateTime(zone, { disambiguation: "compatible" });
  const isSkipped = !shifted.toPlainDateTime().equals(wall);
  const instant = isSkipped && gapRule === "end" ? gapEnd(wall, zone) : shifted;
  return new Date(instant.epochMilliseconds);
}

function gapEnd(wall: Temporal.PlainDateTime, zone: string): Temporal.ZonedDateTime {
  const before = wall.toZonedDateTime(zone, { disambiguation: "earlier" });
  return before.getTimeZoneTransition("next") ?? before;
}

/** What a clock in the zone shows at an instant. */
export const wallTimeAt = (instant: Date, zone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant.valueOf())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime();

/** The wall times that become an instant: what a clock shows then, and one that was skipped before. */
export function wallTimesOf(instant: Date, zone: string): Temporal.PlainDateTime[] {
  const shown = wallTimeAt(instant, zone);
  const moved = Temporal.Instant.fromEpochMilliseconds(instant.valueOf())
    .toZonedDateTimeISO(zone)
    // A change at the very instant counts.
    .add({ nanoseconds: 1 })
    .getTimeZoneTransition("previous");
  const gap = moved
    ? moved.offsetNanoseconds - moved.subtract({ nanoseconds: 1 }).offsetNanoseconds
    : 0;
  const skipped = gap > 0 ? [shown.subtract({ nanoseconds: gap })] : [];
  return [shown, ...skipped].filter(
    (wall) => instantOf(wall, zone).valueOf() === instant.valueOf(),
  );
}
