import { Temporal } from "temporal-polyfill";

import type { WipeRule } from "../../../models/survival/survival-server.ts";
import { instantOf, isTimeZone, wallTimeAt } from "../../platform/time/wall-time.ts";
import type { SurvivalNotification } from "../kinds/notification.ts";
import { firingsAfter, parseWipeCron } from "./wipe-cron.ts";
import type { WipeSchedule } from "./wipe-schedule.ts";

export interface NextWipe {
  readonly nextWipe: Date | null;
  /** The setting that yields the time: a single date, the cron expression or the rule. */
  readonly nextWipeSource: "at" | "cron" | "rule" | null;
}

const noWipe: NextWipe = { nextWipe: null, nextWipeSource: null };

/**
 * Returns the next wipe after an instant. A single date takes precedence over the cron expression and the
 * rule. If a clock change skips the wall time, the wipe is at the first instant after the gap, as in the
 * game's timer. Event schedules differ: they move a skipped time by the length of the gap.
 */
export function resolveNextWipe(schedule: WipeSchedule, now: Date): NextWipe {
  const { wipeRule, wipeAt, wipeTimezone } = schedule;
  if (wipeRule === null) return noWipe;
  if (wipeAt !== null && wipeAt > now) return { nextWipe: wipeAt, nextWipeSource: "at" };
  const text = cronOf(schedule);
  if (text === null || wipeTimezone === null) return noWipe;
  const nextWipe = nextFiring(text, wipeTimezone, now);
  if (!nextWipe) return noWipe;
  return { nextWipe, nextWipeSource: wipeRule === "cron" ? "cron" : "rule" };
}

const hourMs = 3_600_000;

interface StoredSchedule extends WipeSchedule {
  /** Time of the last change. */
  readonly wipeSetAt: Date;
}

/**
 * Returns the next wipe for display. A due wipe is shown until its world exists, for at most an hour, because a
 * server needs minutes to wipe. A wipe that was due before the last change of the schedule is not shown.
 * @param madeAt creation time of the current world; null if unknown
 */
export function findDisplayedWipe(
  schedule: StoredSchedule,
  now: Date,
  madeAt: Date | null,
): NextWipe {
  const anHourAgo = new Date(now.valueOf() - hourMs);
  const awaited = resolveNextWipe(schedule, anHourAgo);
  const due = awaited.nextWipe?.valueOf() ?? Number.POSITIVE_INFINITY;
  // An administrator may wipe early: a world created up to an hour before the due time is already the new one.
  const isOfBefore = madeAt !== null && madeAt.valueOf() < due - hourMs;
  const isAwaited = due <= now.valueOf() && isOfBefore && schedule.wipeSetAt.valueOf() <= due;
  return isAwaited ? awaited : resolveNextWipe(schedule, now);
}

/**
 * Cron expressions of the game's timer. `biweekly` means the 1st, 3rd and 5th occurrence of the weekday in a
 * month.
 */
const cronOfRule: Readonly<Record<WipeRule, (time: string, day: number) => string | null>> = {
  weekly: (time, day) => `${time} * * ${day}`,
  biweekly: (time, day) => `${time} 1-7,15-21,29-31 * ${day}`,
  monthly: (time, day) => `${time} * * ${day}#1`,
  cron: () => null,
  once: () => null,
};

function cronOf({ wipeRule, wipeDay, wipeTime, wipeCron }: WipeSchedule): string | null {
  if (wipeRule === "cron") return wipeCron;
  if (wipeRule === null || wipeDay === null || wipeTime === null) return null;
  const [hour, minute] = wipeTime.split(":");
  return cronOfRule[wipeRule](`${Number(minute)} ${Number(hour)}`, wipeDay);
}

/** Returns the next wipe; null also if this release does not accept the cron expression or zone. */
function nextFiring(text: string, zone: string, now: Date): Date | null {
  const cron = parseWipeCron(text);
  if (typeof cron === "string" || !isTimeZone(zone)) return null;
  // Wall times never go backward as instants advance, so the first later instant is the next wipe.
  for (const wall of firingsAfter(cron, utcOf(wallTimeAt(now, zone)))) {
    const instant = instantOf(wallTimeOf(wall), zone, "end");
    if (instant > now) return instant;
  }
  return null;
}

/** Returns a Date whose UTC fields are the fields of the wall time. */
const utcOf = (wall: Temporal.PlainDateTime): Date =>
  new Date(wall.toZonedDateTime("UTC").epochMilliseconds);

const wallTimeOf = (utc: Date): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(utc.valueOf()).toZonedDateTimeISO("UTC").toPlainDateTime();

/** Hours before a wipe at which a notice announces the wipe. */
const warnings = [24, 1];
const announcementMs = hourMs / 4;

/** Returns a notice if the next wipe is a day or an hour away. */
export function upcomingWipeNotifications(
  server: WipeSchedule & { readonly id: number },
  at: number,
): SurvivalNotification[] {
  const { nextWipe } = resolveNextWipe(server, new Date(at));
  if (!nextWipe) return [];
  return warnings.flatMap((hours) => {
    const due = nextWipe.valueOf() - hours * hourMs;
    if (at < due || at >= due + announcementMs) return [];
    return [
      {
        id: "survival.wipe.upcoming",
        serverId: server.id,
        key: `upcoming:${nextWipe.valueOf()}:${hours}`,
        t: due,
        variables: { nextWipe: nextWipe.toISOString(), hoursLeft: hours, rule: server.wipeRule },
      } as const,
    ];
  });
}
