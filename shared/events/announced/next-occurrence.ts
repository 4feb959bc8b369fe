import { fn, col } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import { computed, plainRows } from "../../../models/plain-rows.ts";
import type { Context } from "../../context.ts";
import { firstOccurrence } from "../schedule/schedule.ts";
import { timingOf } from "../spec/stored-spec.ts";

/** When each of some events takes place next; null where no time is known. */
export async function nextOccurrences(
  definitions: readonly EventDefinition[],
  { models }: Pick<Context, "models">,
): Promise<ReadonlyMap<number, Date | null>> {
  const waiting = await plainRows(models.EventRun, {
    columns: ["definitionId"],
    computed: { next: computed<Date | null>(fn("min", col("scheduled_for"))) },
    where: { definitionId: definitions.map(({ id }) => id), status: "scheduled", rehearsal: false },
    group: ["definitionId"],
  });
  const runs = new Map(waiting.map(({ definitionId, next }) => [definitionId, next]));
  return new Map(
    definitions.map((definition) => [
      definition.id,
      runs.get(definition.id) ?? firstBeyondRuns(definition),
    ]),
  );
}

/** The first occurrence that has no run yet: it lies beyond those that were made. */
function firstBeyondRuns({ currentVersion, materialisedUntil }: EventDefinition): Date | null {
  if (!currentVersion || !materialisedUntil) return null;
  const { schedule } = timingOf(currentVersion);
  return firstOccurrence(schedule, currentVersion.timezone, materialisedUntil);
}
