import { Op, col } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import type { Context } from "../../platform/context.ts";
import { readClock } from "../../platform/db/clock.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import type { EventContext } from "../context.ts";
import { listOccurrences, type TimeWindow } from "../schedule/schedule.ts";
import { timingOf, selectTiming } from "../spec/spec.ts";
import { runStatuses, type RunScope } from "../vocabulary.ts";
import { computeCreationHorizon } from "./create-scheduled-runs.ts";

/** The statuses of runs, and `projected` for an occurrence beyond the horizon. */
export const entryStatuses = [...runStatuses, "projected"] as const;
export type EntryStatus = (typeof entryStatuses)[number];

export interface CalendarQuery extends TimeWindow {
  readonly status?: EntryStatus | undefined;
  readonly scope?: RunScope | undefined;
  readonly seriesId?: number | undefined;
}

export interface CalendarEntry {
  /** Null for an occurrence without a run. */
  readonly runId: number | null;
  readonly definition: EventDefinition;
  readonly version: EventVersion;
  readonly scope: string;
  readonly scheduledFor: Date;
  readonly status: EntryStatus;
}

export interface Calendar {
  readonly horizon: Date;
  readonly entries: readonly CalendarEntry[];
  /** True if there are more entries than listed. */
  readonly truncated: boolean;
}

const maxEntries = 1_000;
const maxWindowDays = 366;

/** Returns runs and projected occurrences in order. @throws AppError for an invalid window */
export async function readCalendar(
  search: CalendarQuery,
  context: EventContext,
): Promise<Calendar> {
  checkWindow(search);
  const [runs, projected, now] = await Promise.all([
    search.status === "projected" ? [] : runEntries(search, context),
    search.status === undefined || search.status === "projected"
      ? projectedEntries(search, context)
      : [],
    readClock(context.sequelize),
  ]);
  const entries = [...runs, ...projected].toSorted(
    (one, other) => one.scheduledFor.valueOf() - other.scheduledFor.valueOf(),
  );
  return {
    horizon: computeCreationHorizon(now),
    entries: entries.slice(0, maxEntries),
    truncated: entries.length > maxEntries,
  };
}

function checkWindow({ from, to }: TimeWindow): void {
  const ms = to.valueOf() - from.valueOf();
  if (ms > 0 && ms <= maxWindowDays * 86_400_000) return;
  const message = `to must be after from, by at most ${maxWindowDays} days`;
  throw invalidFieldsError([{ path: "/to", code: "range", message }]);
}

const seriesCondition = (seriesId: number | undefined) =>
  seriesId === undefined ? {} : { seriesId };

async function runEntries(search: CalendarQuery, { models }: Context): Promise<CalendarEntry[]> {
  const { from, to, status, scope, seriesId } = search;
  const runs = await models.EventRun.findAll({
    attributes: ["id", "scope", "scheduledFor", "status"],
    where: {
      scheduledFor: { [Op.gte]: from, [Op.lt]: to },
      ...(status !== undefined && { status }),
      ...(scope !== undefined && { scope }),
    },
    include: [
      { association: "version", attributes: ["id", "title"] },
      {
        association: "definition",
        attributes: ["id", "slug", "seriesId"],
        where: seriesCondition(seriesId),
      },
    ],
    order: ["scheduledFor", "id"],
    limit: maxEntries + 1,
  });
  return runs.map(entryOfRun);
}

const entryOfRun = (run: EventRun): CalendarEntry => ({
  runId: run.id,
  definition: run.definition as EventDefinition,
  version: run.version as EventVersion,
  scope: run.scope,
  scheduledFor: run.scheduledFor as Date,
  status: run.status,
});

async function projectedEntries(
  search: CalendarQuery,
  { models }: Context,
): Promise<CalendarEntry[]> {
  const definitions = await models.EventDefinition.findAll({
    attributes: ["id", "slug", "seriesId", "materialisedUntil"],
    where: { state: "ready", ...seriesCondition(search.seriesId) },
    include: [
      {
        association: "currentVersion",
        attributes: ["id", "title", "timezone", selectTiming("currentVersion")],
      },
    ],
    order: ["id"],
  });
  const instantsWithRun = await readRunInstants(definitions, { models });
  return definitions.flatMap((definition) =>
    projectOccurrences(definition, search, instantsWithRun),
  );
}

/** Returns the occurrences of a published schedule for which no run was created yet. */
export function projectOccurrences(
  definition: EventDefinition,
  { from, to, scope }: CalendarQuery,
  instantsWithRun: RunInstants,
): CalendarEntry[] {
  const { currentVersion: version, materialisedUntil } = definition;
  if (!version || !materialisedUntil) return [];
  const spec = timingOf(version);
  if (scope !== undefined && scope !== spec.scope) return [];
  const beyond = { from: materialisedUntil > from ? materialisedUntil : from, to };
  if (beyond.from >= beyond.to) return [];
  const taken = instantsWithRun.get(definition.id) ?? new Set();
  const most = maxEntries + 1 + taken.size;
  const due = listOccurrences(spec.schedule, version.timezone, beyond, most);
  const without = due.filter((instant) => !taken.has(instant.valueOf()));
  return without.map((scheduledFor) => ({
    runId: null,
    definition,
    version,
    scope: spec.scope,
    scheduledFor,
    status: "projected",
  }));
}

/** Instants that already have a run although they lie after the creation horizon, by event id. */
export type RunInstants = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Returns the instants after the creation horizon that already have a run: a person created it, or
 * an earlier, less dense schedule did. Such an occurrence gets no second run.
 * @param definitions with their current versions
 */
export async function readRunInstants(
  definitions: readonly EventDefinition[],
  { models }: Pick<Context, "models">,
): Promise<RunInstants> {
  const scopes = new Map(definitions.filter(isScheduled).map((one) => [one.id, scopeOf(one)]));
  const runs = await models.EventRun.findAll({
    attributes: ["definitionId", "scope", "scheduledFor"],
    where: {
      definitionId: [...scopes.keys()],
      rehearsal: false,
      isWithdrawn: false,
      scheduledFor: { [Op.gte]: col("definition.materialised_until") },
    },
    include: [{ association: "definition", attributes: [], required: true }],
  });
  const own = runs.filter(({ definitionId, scope }) => scope === scopes.get(definitionId));
  const byEvent = Map.groupBy(own, ({ definitionId }) => definitionId);
  return new Map(
    [...byEvent].map(([id, of]) => [id, new Set(of.map((run) => Number(run.scheduledFor)))]),
  );
}

/** True for an event with a schedule; only a schedule creates runs ahead. */
const isScheduled = ({ currentVersion }: EventDefinition): boolean =>
  !!currentVersion && timingOf(currentVersion).schedule.kind !== "manual";

const scopeOf = ({ currentVersion }: EventDefinition): string | undefined =>
  currentVersion ? timingOf(currentVersion).scope : undefined;
