import type { Transaction } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import type { Context } from "../../platform/context.ts";
import { readClock } from "../../platform/db/clock.ts";
import { rows } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { messageOf } from "../../platform/errors/errors.ts";
import type { EventContext } from "../context.ts";
import { resolveParams, type ResolvedParams } from "../params.ts";
import { notifyRunChanges, writeRunLog } from "../run-log.ts";
import { listOccurrences } from "../schedule/schedule.ts";
import { copyCaps } from "../spec/budgets.ts";
import { specOf } from "../spec/spec.ts";

/** Number of days ahead for which every occurrence has a run. */
export const horizonDays = 30;

const dayMs = 86_400_000;

/** Maximum number of runs per event and pass; later passes create the rest. */
const maxRunsPerPass = 1_000;

export const computeCreationHorizon = (now: Date): Date =>
  new Date(now.valueOf() + horizonDays * dayMs);

/** Creates the missing runs of a locked definition up to the horizon. @returns their ids */
export async function createScheduledRuns(
  definition: EventDefinition,
  version: EventVersion,
  now: Date,
  transaction: Transaction,
): Promise<number[]> {
  const spec = specOf(version);
  const window = { from: now, to: computeCreationHorizon(now) };
  const due = listOccurrences(spec.schedule, version.timezone, window, maxRunsPerPass);
  const isCut = due.length === maxRunsPerPass;
  // The bound is exclusive, so 1 ms later includes the last run.
  const until = isCut ? new Date((due.at(-1) as Date).valueOf() + 1) : window.to;
  await definition.update({ materialisedUntil: until }, { transaction });
  const runIds = await insertRuns(version, due, transaction);
  await copyCaps(runIds, spec, transaction);
  await writeRunLog(
    runIds.map((runId) => ({ runId, kind: "created", detail: { by: "schedule" } })),
    transaction,
  );
  await notifyRunChanges(runIds, transaction);
  return runIds;
}

/** Inserts all runs in one statement. An occurrence that already has a run keeps it. */
async function insertRuns(
  version: EventVersion,
  due: readonly Date[],
  transaction: Transaction,
): Promise<number[]> {
  const spec = specOf(version);
  const resolved = resolveParams(spec.params, {});
  const inserted = await rows<Pick<EventRun, "id">>(
    transaction,
    `insert into event_runs (definition_id, version_id, scope, scheduled_for, is_materialised,
       concurrency_key, params, unfit_reason, started_by)
     select $1, $2, $3, due, true, $4, $5::jsonb, $6, $7 from unnest($8::timestamptz[]) as due
     on conflict do nothing returning id`,
    [
      version.definitionId,
      version.id,
      spec.scope,
      version.concurrencyKey,
      JSON.stringify(resolved.values),
      describeInvalidParams(resolved),
      version.publishedBy,
      due.map((instant) => instant.toISOString()),
    ],
  );
  return inserted.map(({ id }) => id);
}

/**
 * Creates the runs whose times came within the horizon since the last pass, event by event. A failing event does
 * not stop the others.
 * @throws AggregateError if events failed, after all others are done
 */
export async function createAllScheduledRuns(context: EventContext): Promise<void> {
  const { models, log } = context;
  const ready = await models.EventDefinition.findAll({
    attributes: ["id"],
    where: { state: "ready" },
    order: ["id"],
  });
  const failures: Error[] = [];
  for (const { id } of ready) {
    try {
      const made = await createRunsOfEvent(id, context);
      if (made > 0) log.info({ definitionId: id, made }, "scheduled runs of an event were created");
    } catch (error) {
      log.error(
        { err: error, definitionId: id },
        "scheduled runs of an event could not be created",
      );
      failures.push(new Error(`event ${id}: ${messageOf(error)}`, { cause: error }));
    }
  }
  if (failures.length === 0) return;
  throw new AggregateError(failures, failures.map(({ message }) => message).join("; "));
}

/** @returns the number of new runs */
const createRunsOfEvent = (id: number, { sequelize, models }: Context): Promise<number> =>
  inTransaction(sequelize, async (transaction) => {
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const definition = await models.EventDefinition.findByPk(id, { lock, transaction });
    if (definition?.state !== "ready" || definition.currentVersionId === null) return 0;
    const options = { transaction, rejectOnEmpty: true } as const;
    const version: EventVersion = await models.EventVersion.findByPk(
      definition.currentVersionId,
      options,
    );
    if (specOf(version).schedule.kind === "manual") return 0;
    const now = await readClock(transaction);
    return (await createScheduledRuns(definition, version, now, transaction)).length;
  });

/** Returns why a run cannot start with these parameters; null if it can. */
export const describeInvalidParams = ({ faults }: Pick<ResolvedParams, "faults">): string | null =>
  faults.length === 0 ? null : faults.map(({ message }) => message).join("; ");
