import { siteName } from "../platform/site-name.ts";
import { webAppUrls } from "./addresses.ts";

/** An announced event on one date. */
export interface Occurrence {
  /** Unique within the site. */
  readonly uid: string;
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly isCancelled: boolean;
  /** The time of the latest change to any of these fields. */
  readonly changedAt: Date;
}

/** Renders announced events as an iCalendar file in UTC. */
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
      url: webAppUrls.event(one.slug, base),
      status: one.isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    });
  }
  // Every line of the file must end in a line break. The library omits the last line break.
  return `${calendar.toString()}\r\n`;
}

// Loaded at the first call, because most processes never render a calendar.
const loadCalendars = () => import("ical-generator");
