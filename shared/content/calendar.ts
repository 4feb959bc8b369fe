import { siteName } from "../platform/site-name.ts";
import { addresses } from "./addresses.ts";

/** An announced event on one date. */
export interface Occurrence {
  /** Tells it from all others of the site. */
  readonly uid: string;
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly isCancelled: boolean;
  /** When any of this was changed last. */
  readonly changedAt: Date;
}

/** Announced events as calendar programs take them, in UTC. Without any it is an empty calendar. */
export async function renderCalendar(
  occurrences: readonly Occurrence[],
  base: string,
): Promise<string> {
  const { default: ical, ICalEventStatus } = await loadCalendars();
  const { hostname } = new URL(base);
  const calendar = ical({
    name: siteName,
    prodId: { company: siteName, product: "Events", language: "EN" },
  });
  for (const one of occurrences) {
    calendar.createEvent({
      id: `${one.uid}@${hostname}`,
      start: one.startsAt,
      ...(one.endsAt && { end: one.endsAt }),
      stamp: one.changedAt,
      lastModified: one.changedAt,
      summary: one.title,
      description: one.summary,
      url: addresses.event(one.slug, base),
      status: one.isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    });
  }
  // Every line ends in a line break, also the last, which the library leaves open.
  return `${calendar.toString()}\r\n`;
}

// Most processes are never asked for a calendar, so what makes one is loaded with the first.
const loadCalendars = () => import("ical-generator");
