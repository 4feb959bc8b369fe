import { col, fn, Op } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventSeries } from "../../../models/events/event-series.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";
import type { EventContext } from "../context.ts";
import { timingOnly } from "../spec/spec.ts";
import type { RunStatus } from "../vocabulary.ts";
import { nextOccurrences } from "./next-occurrence.ts";

/** An event as everyone may see it: as it was published, and announced. */
export interface AnnouncedEvent {
  readonly definition: EventDefinition;
  readonly version: EventVersion;
  /** When it takes place next; null where no time is known. */
  readonly next: Date | null;
}

/** What makes an event public: its published version says so, and it is not archived. */
export const announced = {
  where: { state: "ready" },
  version: {
    association: "currentVersion",
    required: true,
    where: { spec: { [Op.contains]: { listed: true } } },
  },
} as const;

/** The same in a statement. @param definitionId the SQL of the event's id */
export const isAnnounced = (definitionId: string): string => `exists (
  select from event_definitions definition
  join event_versions current_version on current_version.id = definition.current_version_id
  where definition.id = ${definitionId} and definition.state = 'ready'
    and current_version.spec @> '{"listed": true}')`;

/** What everyone is shown of a version, and what tells when it takes place next. */
const shownVersion = {
  ...announced.version,
  attributes: ["title", "summary", "body", "imageUrl", "timezone", timingOnly("currentVersion")],
};

const withSeries = { association: "series", attributes: ["slug", "name"] };

interface Which {
  readonly slug?: string;
  readonly seriesId?: number;
}

async function readAnnounced(which: Which, { models }: Context): Promise<AnnouncedEvent[]> {
  const definitions = await models.EventDefinition.findAll({
    attributes: ["id", "slug", "materialisedUntil"],
    where: { ...announced.where, ...which },
    include: [shownVersion, withSeries],
    order: ["seriesOrder", "id"],
  });
  const next = await nextOccurrences(definitions, { models });
  return definitions.map((definition) => ({
    definition,
    version: definition.currentVersion as EventVersion,
    next: next.get(definition.id) ?? null,
  }));
}

/** Announced events, the one that takes place next first, at most so many. */
export async function listAnnounced(
  limit: number,
  context: EventContext,
): Promise<AnnouncedEvent[]> {
  const events = await readAnnounced({}, context);
  return events.toSorted((one, other) => timeOf(one) - timeOf(other)).slice(0, limit);
}

/** Those without a time come last. */
const timeOf = ({ next }: AnnouncedEvent): number => next?.valueOf() ?? Number.MAX_SAFE_INTEGER;

/** @throws AppError missing when no announced event has the slug */
export async function findAnnounced(slug: string, context: EventContext): Promise<AnnouncedEvent> {
  const [event] = await readAnnounced({ slug }, context);
  if (!event) throw missing("Unknown event");
  return event;
}

export interface AnnouncedSeries {
  readonly series: EventSeries;
  readonly events: readonly AnnouncedEvent[];
}

/** A series with its announced events. @throws AppError missing when it has none, or is unknown */
export async function findAnnouncedSeries(
  slug: string,
  context: EventContext,
): Promise<AnnouncedSeries> {
  const series = await context.models.EventSeries.findOne({ where: { slug } });
  const events = series ? await readAnnounced({ seriesId: series.id }, context) : [];
  if (!series || events.length === 0) throw missing("Unknown series");
  return { series, events };
}

/** So many of those that are over or under way; all that are under way are among them. */
const mostBegun = 20;

const publicRun = ["id", "status", "scheduledFor", "startedAt", "endedAt", "createdAt"];

const unfinished: RunStatus[] = ["scheduled", "running", "paused"];

/**
 * All runs of an event that are to come or under way, and the newest others; the latest first. What
 * a change of the schedule withdrew is none of them: it would hide those that took place.
 */
export async function readAnnouncedRuns(
  { definition: { id: definitionId } }: AnnouncedEvent,
  { models }: Context,
): Promise<EventRun[]> {
  const where = { definitionId, rehearsal: false, isWithdrawn: false };
  const [waiting, over] = await Promise.all([
    models.EventRun.findAll({ attributes: publicRun, where: { ...where, status: unfinished } }),
    models.EventRun.findAll({
      attributes: publicRun,
      where: { ...where, status: { [Op.notIn]: unfinished } },
      order: [
        [fn("coalesce", col("scheduled_for"), col("started_at"), col("created_at")), "DESC"],
        ["id", "DESC"],
      ],
      limit: mostBegun,
    }),
  ]);
  const underWay = waiting.filter(({ status }) => status !== "scheduled");
  const shown = over.slice(0, Math.max(0, mostBegun - underWay.length));
  return [...waiting, ...shown].toSorted((one, other) => momentOf(other) - momentOf(one));
}

/** The database cuts the list by the same. */
const momentOf = ({ scheduledFor, startedAt, createdAt }: EventRun): number =>
  (scheduledFor ?? startedAt ?? createdAt).valueOf();

/** @throws AppError missing when the event has no such run that everyone may see */
export async function findAnnouncedRun(
  { definition: { id: definitionId } }: AnnouncedEvent,
  runId: number,
  { models }: Context,
): Promise<EventRun> {
  const run = await models.EventRun.findOne({
    attributes: publicRun,
    where: { id: runId, definitionId, rehearsal: false },
  });
  if (!run) throw missing("Unknown run");
  return run;
}

export const publicStatuses = ["scheduled", "running", "completed", "cancelled"] as const;
type PublicStatus = (typeof publicStatuses)[number];

const shownAs: Readonly<Record<RunStatus, PublicStatus>> = {
  scheduled: "scheduled",
  running: "running",
  paused: "running",
  completed: "completed",
  cancelled: "cancelled",
  failed: "cancelled",
  missed: "cancelled",
};

/** How far a run is, in the words for everyone: why it does not take place is not theirs to know. */
export const publicStatusOf = (status: RunStatus): PublicStatus => shownAs[status];
