import { col, fn, Op } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventSeries } from "../../../models/events/event-series.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import { computeColumn, readPlainRows } from "../../../models/queries/plain-rows.ts";
import type { Context } from "../../platform/context.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import type { EventContext } from "../context.ts";
import { readRunInstants, type RunInstants } from "../occurrences/calendar.ts";
import { findFirstOccurrence } from "../schedule/schedule.ts";
import { selectTiming, timingOf } from "../spec/spec.ts";
import type { RunStatus } from "../vocabulary.ts";

/** A public event in its published version. */
export interface AnnouncedEvent {
  readonly definition: EventDefinition;
  readonly version: EventVersion;
  /** The time of the event's next occurrence; null if none is known. */
  readonly next: Date | null;
}

/** The condition for a public event: not archived, and its published version is listed. */
export const announcedCondition = {
  where: { state: "ready" },
  version: {
    association: "currentVersion",
    required: true,
    where: { spec: { [Op.contains]: { listed: true } } },
  },
} as const;

/** The condition for a public event as SQL. @param definitionId the SQL of the event's id */
export const isAnnouncedSql = (definitionId: string): string => `exists (
  select from event_definitions definition
  join event_versions current_version on current_version.id = definition.current_version_id
  where definition.id = ${definitionId} and definition.state = 'ready'
    and current_version.spec @> '{"listed": true}')`;

const publicVersion = {
  ...announcedCondition.version,
  attributes: ["title", "summary", "body", "imageUrl", "timezone", selectTiming("currentVersion")],
};

const withSeries = { association: "series", attributes: ["slug", "name"] };

interface AnnouncedFilter {
  readonly slug?: string;
  readonly seriesId?: number;
}

async function readAnnouncedEvents(
  which: AnnouncedFilter,
  { models }: Context,
): Promise<AnnouncedEvent[]> {
  const definitions = await models.EventDefinition.findAll({
    attributes: ["id", "slug", "materialisedUntil"],
    where: { ...announcedCondition.where, ...which },
    include: [publicVersion, withSeries],
    order: ["seriesOrder", "id"],
  });
  const next = await findNextOccurrences(definitions, { models });
  return definitions.map((definition) => ({
    definition,
    version: definition.currentVersion as EventVersion,
    next: next.get(definition.id) ?? null,
  }));
}

/** Returns at most `limit` announced events, ordered by their next occurrence. */
export async function listAnnouncedEvents(
  limit: number,
  context: EventContext,
): Promise<AnnouncedEvent[]> {
  const events = await readAnnouncedEvents({}, context);
  return events.toSorted((one, other) => timeOf(one) - timeOf(other)).slice(0, limit);
}

/** Events without a time come last. */
const timeOf = ({ next }: AnnouncedEvent): number => next?.valueOf() ?? Number.MAX_SAFE_INTEGER;

/** @throws AppError missing if no announced event has the slug */
export async function findAnnouncedEvent(
  slug: string,
  context: EventContext,
): Promise<AnnouncedEvent> {
  const [event] = await readAnnouncedEvents({ slug }, context);
  if (!event) throw notFoundError("Unknown event");
  return event;
}

export interface AnnouncedSeries {
  readonly series: EventSeries;
  readonly events: readonly AnnouncedEvent[];
}

/** Returns a series with its announced events. @throws AppError missing if there are none */
export async function findAnnouncedSeries(
  slug: string,
  context: EventContext,
): Promise<AnnouncedSeries> {
  const series = await context.models.EventSeries.findOne({ where: { slug } });
  const events = series ? await readAnnouncedEvents({ seriesId: series.id }, context) : [];
  if (!series || events.length === 0) throw notFoundError("Unknown series");
  return { series, events };
}

/** Maximum number of started runs in a list. All runs under way are listed, even if there are more. */
const maxStartedRuns = 20;

const publicRunColumns = ["id", "status", "scheduledFor", "startedAt", "endedAt", "createdAt"];

const unfinished: RunStatus[] = ["scheduled", "running", "paused"];

/**
 * Returns all unfinished runs of an event and its newest other runs, latest first. Omits runs that
 * a schedule change withdrew, because they would displace runs that took place.
 */
export async function readAnnouncedRuns(
  { definition: { id: definitionId } }: AnnouncedEvent,
  { models }: Context,
): Promise<EventRun[]> {
  const where = { definitionId, rehearsal: false, isWithdrawn: false };
  const [waiting, over] = await Promise.all([
    models.EventRun.findAll({
      attributes: publicRunColumns,
      where: { ...where, status: unfinished },
    }),
    models.EventRun.findAll({
      attributes: publicRunColumns,
      where: { ...where, status: { [Op.notIn]: unfinished } },
      order: [
        [fn("coalesce", col("scheduled_for"), col("started_at"), col("created_at")), "DESC"],
        ["id", "DESC"],
      ],
      limit: maxStartedRuns,
    }),
  ]);
  const underWay = waiting.filter(({ status }) => status !== "scheduled");
  const shown = over.slice(0, Math.max(0, maxStartedRuns - underWay.length));
  return [...waiting, ...shown].toSorted((one, other) => sortTimeOf(other) - sortTimeOf(one));
}

/** Returns the time by which runs are sorted: scheduled, else started, else created. */
const sortTimeOf = ({ scheduledFor, startedAt, createdAt }: EventRun): number =>
  (scheduledFor ?? startedAt ?? createdAt).valueOf();

/** @throws AppError missing if the event has no such public run */
export async function findAnnouncedRun(
  { definition: { id: definitionId } }: AnnouncedEvent,
  runId: number,
  { models }: Context,
): Promise<EventRun> {
  const run = await models.EventRun.findOne({
    attributes: publicRunColumns,
    where: { id: runId, definitionId, rehearsal: false },
  });
  if (!run) throw notFoundError("Unknown run");
  return run;
}

export const publicStatuses = ["scheduled", "running", "completed", "cancelled"] as const;
type PublicStatus = (typeof publicStatuses)[number];

const publicStatusByStatus: Readonly<Record<RunStatus, PublicStatus>> = {
  scheduled: "scheduled",
  running: "running",
  paused: "running",
  completed: "completed",
  cancelled: "cancelled",
  failed: "cancelled",
  missed: "cancelled",
};

/** Returns the public status of a run. It hides the reason why a run does not take place. */
export const publicStatusOf = (status: RunStatus): PublicStatus => publicStatusByStatus[status];

/** Returns the time of each event's next occurrence; null if none is known. */
async function findNextOccurrences(
  definitions: readonly EventDefinition[],
  { models }: Pick<Context, "models">,
): Promise<ReadonlyMap<number, Date | null>> {
  const definitionId = definitions.map(({ id }) => id);
  const [made, waiting] = await Promise.all([
    readRunInstants(definitions, { models }),
    readPlainRows(models.EventRun, {
      columns: ["definitionId"],
      computed: { next: computeColumn<Date | null>(fn("min", col("scheduled_for"))) },
      where: { definitionId, status: "scheduled", rehearsal: false },
      group: ["definitionId"],
    }),
  ]);
  const runs = new Map(waiting.map((run) => [run.definitionId, run.next]));
  return new Map(
    definitions.map((definition) => [
      definition.id,
      findEarliest(runs.get(definition.id) ?? null, definition, made),
    ]),
  );
}

/** Returns the earlier of two times: that of the first waiting run and that of the first projected occurrence. */
function findEarliest(
  run: Date | null,
  definition: EventDefinition,
  made: RunInstants,
): Date | null {
  const { materialisedUntil } = definition;
  if (run && materialisedUntil && run < materialisedUntil) return run;
  const beyond = findFirstWithoutRun(definition, made);
  return run && beyond && run < beyond ? run : (beyond ?? run);
}

/** Returns the first occurrence without a run, after the time up to which runs were created. */
function findFirstWithoutRun(
  { id, currentVersion, materialisedUntil }: EventDefinition,
  made: RunInstants,
): Date | null {
  if (!currentVersion || !materialisedUntil) return null;
  const { schedule } = timingOf(currentVersion);
  let first = findFirstOccurrence(schedule, currentVersion.timezone, materialisedUntil);
  while (first && made.get(id)?.has(first.valueOf())) {
    const after = new Date(first.valueOf() + 1);
    first = findFirstOccurrence(schedule, currentVersion.timezone, after);
  }
  return first;
}
