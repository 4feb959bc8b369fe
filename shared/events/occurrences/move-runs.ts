import { Op, type Transaction } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { resolveParams } from "../params.ts";
import { notifyRunChanges, writeRunLog } from "../run-log.ts";
import { createOccurrencePredicate } from "../schedule/schedule.ts";
import { copyCaps } from "../spec/budgets.ts";
import { specOf } from "../spec/spec.ts";
import { describeInvalidParams } from "./create-scheduled-runs.ts";

/**
 * Moves the runs that have not started to a new version. Runs at times that the new schedule lacks are canceled;
 * runs that a person created are always kept.
 * @returns how many runs were moved
 */
export async function moveRunsToVersion(
  version: EventVersion,
  transaction: Transaction,
): Promise<number> {
  const waiting = await modelsOf(transaction).EventRun.findAll({
    where: { definitionId: version.definitionId, status: "scheduled" },
    order: ["id"],
    lock: transaction.LOCK.NO_KEY_UPDATE,
    transaction,
  });
  const { kept = [], dropped = [] } = Object.groupBy(sortByTime(waiting), classifyRun(version));
  await withdrawRuns(dropped, "no longer scheduled", transaction);
  for (const run of kept) await moveRun(run, version, transaction);
  const ids = kept.map(({ id }) => id);
  await copyCaps(ids, specOf(version), transaction);
  await writeRunLog(
    ids.map((runId) => ({ runId, kind: "repinned", detail: { version: version.number } })),
    transaction,
  );
  await notifyRunChanges(ids, transaction);
  return kept.length;
}

/** Keeps runs that a person created, and runs at times that the new version's schedule contains. */
function classifyRun(version: EventVersion): (run: EventRun) => "kept" | "dropped" {
  const { schedule, scope } = specOf(version);
  const isGiven = createOccurrencePredicate(schedule, version.timezone);
  return ({ isMaterialised, scope: of, scheduledFor }) =>
    !isMaterialised || (of === scope && isGiven(scheduledFor as Date)) ? "kept" : "dropped";
}

/** Sorts runs by time, because `createOccurrencePredicate` is fastest in that order. */
const sortByTime = (runs: readonly EventRun[]): EventRun[] =>
  runs.toSorted((one, other) => Number(one.scheduledFor) - Number(other.scheduledFor));

/** Cancels runs that have not started; their occurrences can get new runs. */
export async function withdrawRuns(
  runs: readonly EventRun[],
  reason: string,
  transaction: Transaction,
): Promise<void> {
  const ids = runs.map(({ id }) => id);
  await modelsOf(transaction).EventRun.update(
    { status: "cancelled", isWithdrawn: true, endedAt: transactionStart() },
    { where: { id: { [Op.in]: ids } }, transaction },
  );
  await writeRunLog(
    ids.map((runId) => ({ runId, kind: "cancelled", detail: { reason } })),
    transaction,
  );
  await notifyRunChanges(ids, transaction);
}

/**
 * If the schedule created the run, the publisher becomes its starter. Other runs keep the person who created
 * them.
 */
async function moveRun(run: EventRun, version: EventVersion, transaction: Transaction) {
  const resolved = resolveParams(specOf(version).params, run.givenParams);
  await run.update(
    {
      versionId: version.id,
      concurrencyKey: version.concurrencyKey,
      params: resolved.values,
      unfitReason: describeInvalidParams(resolved),
      ...(run.isMaterialised && { startedBy: version.publishedBy }),
    },
    { transaction },
  );
}
