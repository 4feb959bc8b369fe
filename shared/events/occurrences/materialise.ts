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
import { resolveParams, type Resolved } from "../params.ts";
import { tellChanged, writeRunLog } from "../run-log.ts";
import { occurrencesIn } from "../schedule/schedule.ts";
import { copyCaps } from "../spec/budgets.ts";
import { specOf } from "../spec/spec.ts";

/** So far ahead there is a run for each occurrence. */
export const horizonDays = 30;

const dayMs = 86_400_000;

/** Of one definition at once; the rest follows as time goes on. */
const mostMaterialised = 1_000;

export const horizonFrom = (now: Date): Date => new Date(now.valueOf() + horizonDays * dayMs);

/**
 * Makes the runs of a published schedule up to the horizon that are not there yet. The definition is
 * locked.
 * @returns the ids of the new runs
 */
export async function materialise(
  definition: EventDefinition,
  version: EventVersion,
  now: Date,
  transaction: Transaction,
): Promise<number[]> {
  const spec = specOf(version);
  const window = { from: now, to: horizonFrom(now) };
  const due = occurrencesIn(spec.schedule, version.timezone, window, mostMaterialised);
  const isCut = due.length === mostMaterialised;
  // The bound is not part of what was made.
  const until = isCut ? new Date((due.at(-1) as Date).valueOf() + 1) : window.to;
  await definition.update({ materialisedUntil: until }, { transaction });
  const runIds = await insertRuns(version, due, transaction);
  await copyCaps(runIds, spec, transaction);
  await writeRunLog(
    runIds.map((runId) => ({ runId, kind: "created", detail: { by: "schedule" } })),
    transaction,
  );
  await tellChanged(runIds, transaction);
  return runIds;
}

/** A run is one row of many in one statement, and an occurrence that has its run keeps it. */
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
      unfitReasonOf(resolved),
      version.publishedBy,
      due.map((instant) => instant.toISOString()),
    ],
  );
  return inserted.map(({ id }) => id);
}

/**
 * Makes the runs that came within the horizon since they were made last, event by event. One that
 * fails keeps no other one back.
 * @throws AggregateError where some failed, once all others are made
 */
export async function materialiseAll(context: EventContext): Promise<void> {
  const { models, log } = context;
  const ready = await models.EventDefinition.findAll({
    attributes: ["id"],
    where: { state: "ready" },
    order: ["id"],
  });
  const failures: Error[] = [];
  for (const { id } of ready) {
    try {
      const made = await materialiseOne(id, context);
      if (made > 0) log.info({ definitionId: id, made }, "runs were made ahead");
    } catch (error) {
      log.error({ err: error, definitionId: id }, "runs were not made ahead");
      failures.push(new Error(`event ${id}: ${messageOf(error)}`, { cause: error }));
    }
  }
  if (failures.length === 0) return;
  throw new AggregateError(failures, failures.map(({ message }) => message).join("; "));
}

/** @returns how many runs it made */
const materialiseOne = (id: number, { sequelize, models }: Context): Promise<number> =>
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
    return (await materialise(definition, version, now, transaction)).length;
  });

/** Why a run cannot begin with these parameters; null when it can. */
export const unfitReasonOf = ({ faults }: Pick<Resolved, "faults">): string | null =>
  faults.length === 0 ? null : faults.map(({ message }) => message).join("; ");
