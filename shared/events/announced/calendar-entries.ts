import { Op } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import type { Occurrence } from "../../content/calendar.ts";
import { readClock } from "../../platform/db/clock.ts";
import type { EventContext } from "../context.ts";
import { projectOccurrences, readRunInstants } from "../occurrences/calendar.ts";
import { selectTiming } from "../spec/spec.ts";
import { announcedCondition, publicStatusOf } from "./announced.ts";

const daysAhead = 366;
const dayMs = 86_400_000;

const versionAttributes = [
  "title",
  "summary",
  "timezone",
  "publishedAt",
  selectTiming("currentVersion"),
];

const runAttributes = [
  "id",
  "definitionId",
  "isMaterialised",
  "scheduledFor",
  "status",
  "createdAt",
  "startedAt",
  "endedAt",
];

/** Returns the occurrences of announced events from yesterday until a year ahead. */
export async function announcedOccurrences(context: EventContext): Promise<Occurrence[]> {
  const now = (await readClock(context.sequelize)).valueOf();
  const window = { from: new Date(now - dayMs), to: new Date(now + daysAhead * dayMs) };
  const definitions = await context.models.EventDefinition.findAll({
    attributes: ["id", "slug", "materialisedUntil"],
    where: announcedCondition.where,
    include: [{ ...announcedCondition.version, attributes: versionAttributes }],
    order: ["id"],
  });
  const made = await readRunInstants(definitions, context);
  const runs = await context.models.EventRun.findAll({
    attributes: runAttributes,
    where: {
      definitionId: definitions.map(({ id }) => id),
      rehearsal: false,
      scheduledFor: { [Op.gte]: window.from, [Op.lt]: window.to },
    },
    order: ["scheduledFor", "id"],
  });
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  const entries = [
    ...runs.map((run) => toRunOccurrence(run, byId.get(run.definitionId) as EventDefinition)),
    ...definitions.flatMap((definition) =>
      projectOccurrences(definition, window, made).map(toProjectedOccurrence),
    ),
  ];
  // A withdrawn occurrence may have a second run, whose entry replaces the first run's entry.
  return [...new Map(entries.map((entry) => [entry.uid, entry])).values()];
}

/** The id stays the same when the occurrence gets its run and when the event is renamed. */
const occurrenceUid = (definitionId: number, scheduledFor: Date): string =>
  `${definitionId}-${scheduledFor.toISOString()}`;

const describeEvent = ({ slug, currentVersion }: EventDefinition) => {
  const { title, summary } = currentVersion as EventVersion;
  return { slug, title, summary };
};

const toRunOccurrence = (run: EventRun, definition: EventDefinition): Occurrence => ({
  ...describeEvent(definition),
  uid: run.isMaterialised
    ? occurrenceUid(run.definitionId, run.scheduledFor as Date)
    : `run-${run.id}`,
  startsAt: run.scheduledFor as Date,
  endsAt: run.endedAt !== null && run.endedAt > (run.scheduledFor as Date) ? run.endedAt : null,
  isCancelled: publicStatusOf(run.status) === "cancelled",
  changedAt: latest(run.endedAt ?? run.startedAt ?? run.createdAt, publishedAtOf(definition)),
});

const latest = (one: Date, other: Date): Date => (one > other ? one : other);

/** Entries, even of older runs, show title and summary of the latest published version. */
const publishedAtOf = ({ currentVersion }: EventDefinition): Date =>
  (currentVersion as EventVersion).publishedAt;

interface ProjectedOccurrence {
  readonly definition: EventDefinition;
  readonly scheduledFor: Date;
}

const toProjectedOccurrence = ({ definition, scheduledFor }: ProjectedOccurrence): Occurrence => ({
  ...describeEvent(definition),
  uid: occurrenceUid(definition.id, scheduledFor),
  startsAt: scheduledFor,
  endsAt: null,
  isCancelled: false,
  changedAt: publishedAtOf(definition),
});
