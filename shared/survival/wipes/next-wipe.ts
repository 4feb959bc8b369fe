import { Temporal } from "temporal-polyfill";

import type { WipeRule } from "../../../models/survival/survival-server.ts";
import { instantOf, isTimeZone, wallTimeAt } from "../../platform/time/wall-time.ts";
import type { Notice } from "../kinds/notice.ts";
import { firingsAfter, parseWipeCron, type WallMinute } from "./wipe-cron.ts";
import type { WipeSchedule } from "./wipe-schedule.ts";

export interface NextWipe {
  readonly nextWipe: Date | null;
  /** What says so: the one moment that was set, the cron, or the rule. */
  readonly nextWipeSource: "at" | "cron" | "rule" | null;
}

const none: NextWipe = { nextWipe: null, nextWipeSource: null };

/**
 * The next wipe after an instant. A moment that was set goes before the cron, and that before the
 * rule. A wall time that summer time skips is the first instant after the gap, as the game's timer
 * has it; the schedules of events are later by the gap instead.
 */
export function resolveNextWipe(schedule: WipeSchedule, now: Date): NextWipe {
  const { wipeRule, wipeAt, wipeTimezone } = schedule;
  if (wipeRule === null) return none;
  if (wipeAt !== null && wipeAt > now) return { nextWipe: wipeAt, nextWipeSource: "at" };
  const text = cronOf(schedule);
  if (text === null || wipeTimezone === null) return none;
  const nextWipe = nextFiring(text, wipeTimezone, now);
  if (!nextWipe) return none;
  return { nextWipe, nextWipeSource: wipeRule === "cron" ? "cron" : "rule" };
}

const hourMs = 3_600_000;

interface KeptSchedule extends WipeSchedule {
  /** When it was changed last. */
  readonly wipeSetAt: Date;
}

/**
 * The next wipe as it is shown. One whose time has come stays the next until its world is there, or
 * for an hour: a server takes minutes to make one, and players would read of the wipe after it. A
 * schedule that was written later than its wipe has planned none.
 * @param madeAt when the world that stands was made; null where none is known
 */
export function awaitedWipe(schedule: KeptSchedule, now: Date, madeAt: Date | null): NextWipe {
  const anHourAgo = new Date(now.valueOf() - hourMs);
  const awaited = resolveNextWipe(schedule, anHourAgo);
  const due = awaited.nextWipe?.valueOf() ?? Number.POSITIVE_INFINITY;
  // A server that is wiped by hand may be some minutes early.
  const isOfBefore = madeAt !== null && madeAt.valueOf() < due - hourMs;
  const isAwaited = due <= now.valueOf() && isOfBefore && schedule.wipeSetAt.valueOf() <= due;
  return isAwaited ? awaited : resolveNextWipe(schedule, now);
}

/** The game's own cron texts; biweekly is the first, third and fifth such weekday of a month. */
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

/** Null also where a stored text or zone is one that this release does not take. */
function nextFiring(text: string, zone: string, now: Date): Date | null {
  const cron = parseWipeCron(text);
  if (typeof cron === "string" || !isTimeZone(zone)) return null;
  // Wall times do not go back where instants go on, so the first that is later is the next.
  for (const wall of firingsAfter(cron, wallMinuteOf(wallTimeAt(now, zone)))) {
    const instant = instantOf(plainOf(wall), zone, "end");
    if (instant > now) return instant;
  }
  return null;
}

const epoch = Temporal.PlainDateTime.from("1970-01-01T00:00");

const wallMinuteOf = (wall: Temporal.PlainDateTime): WallMinute => ({
  day: epoch.until(wall.withPlainTime("00:00"), { largestUnit: "days" }).days,
  minute: wall.hour * 60 + wall.minute,
});

const plainOf = ({ day, minute }: WallMinute): Temporal.PlainDateTime =>
  epoch.add({ days: day, minutes: minute });

/** Hours before a wipe at which it is told of, and for how long that is news. */
const warnings = [24, 1];
const newsMs = hourMs / 4;

/** What is told of a server's next wipe at a moment: nothing, or that it is a day or an hour away. */
export function nearWipes(server: WipeSchedule & { readonly id: number }, at: number): Notice[] {
  const { nextWipe } = resolveNextWipe(server, new Date(at));
  if (!nextWipe) return [];
  return warnings.flatMap((hours) => {
    const due = nextWipe.valueOf() - hours * hourMs;
    if (at < due || at >= due + newsMs) return [];
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
