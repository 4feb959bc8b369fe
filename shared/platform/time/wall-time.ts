import { Temporal } from "temporal-polyfill";

const wallForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:[0-5]\d)?$/;

/** Parses a wall time without a zone; undefined if the calendar does not have it. */
export function parseWallTime(text: string): Temporal.PlainDateTime | undefined {
  if (!wallForm.test(text)) return undefined;
  try {
    return Temporal.PlainDateTime.from(text, { overflow: "reject" });
  } catch {
    return undefined;
  }
}

/** Returns true if the name is an IANA time zone in its exact spelling. */
export function isTimeZone(name: string): boolean {
  // Refuse offsets (`+02:00`), because they have no summer time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return (
      Temporal.PlainDateTime.from("2000-01-01T00:00").toZonedDateTime(name).timeZoneId === name
    );
  } catch {
    return false;
  }
}

/** The rule for a skipped wall time such as 02:30: `shift` gives 03:30, `end` gives 03:00. */
export type DstGapRule = "shift" | "end";

/** Returns the instant of a wall time. If it occurs twice, returns the first. */
export function instantOf(
  wall: Temporal.PlainDateTime,
  zone: string,
  gapRule: DstGapRule = "shift",
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

export const wallTimeAt = (instant: Date, zone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant.valueOf())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime();

/**
 * Returns the wall times that map to an instant: the time that clocks show, and a time that a clock change skips.
 */
export function wallTimesOf(instant: Date, zone: string): Temporal.PlainDateTime[] {
  const shown = wallTimeAt(instant, zone);
  const moved = Temporal.Instant.fromEpochMilliseconds(instant.valueOf())
    .toZonedDateTimeISO(zone)
    // Also find a transition at this exact instant.
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
