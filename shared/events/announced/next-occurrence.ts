import { fn, col } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import { computeColumn, readPlainRows } from "../../../models/queries/plain-rows.ts";
import type { Context } from "../../platform/context.ts";
import { readRunInstants, type RunInstants } from "../occurrences/calendar.ts";
import { firstOccurrence } from "../schedule/schedule.ts";
import { timingOf } from "../spec/spec.ts";

/** Returns the time of each event's next occurrence; null if none is known. */
export async function findNextOccurrences(
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
  let first = firstOccurrence(schedule, currentVersion.timezone, materialisedUntil);
  while (first && made.get(id)?.has(first.valueOf())) {
    const after = new Date(first.valueOf() + 1);
    first = firstOccurrence(schedule, currentVersion.timezone, after);
  }
  return first;
}
