import { Op, type Transaction, type WhereOptions } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import type { ParamValues } from "../../facts/param.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { readClock } from "../../platform/db/clock.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import { resolveParams } from "../params.ts";
import { notifyRunChanges, writeRunLog } from "../run-log.ts";
import { copyCaps } from "../spec/budgets.ts";
import { specOf, hasWorldChangingSteps } from "../spec/spec.ts";
import { eventStateError } from "../state-refusal.ts";
import { type RunScope, parseServerId } from "../vocabulary.ts";
import { findRun, type ListedRun } from "./read-runs.ts";

export interface NewRun {
  /** Default: the scope of the version. */
  readonly scope?: RunScope;
  /** An instant; null or absent means as soon as possible. */
  readonly scheduledFor?: string | null;
  readonly rehearsal?: boolean;
  readonly params?: ParamValues;
}

export interface CreatedRun extends ListedRun {
  /** False if the occurrence already had a run. */
  readonly created: boolean;
}

/**
 * Creates a run, or returns the existing run of the same occurrence. Runs without a time are the
 * same occurrence if event and scope are the same and the earlier run is unfinished.
 * @throws AppError if the event is archived or was never published, or if the run could not start
 */
export function createRun(
  definitionId: number,
  given: NewRun,
  caller: Caller,
  { sequelize, models }: Context,
): Promise<CreatedRun> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const { definition, version } = await lockPublishedDefinition(definitionId, transaction);
    requireBaseRevision(
      version.revision,
      given.rehearsal !== true && hasWorldChangingSteps(version),
    );
    const row = await rowOf(definition, version, { ...given, starter: caller }, transaction);
    const { id, created } = await insertOrFind(row, transaction);
    if (created) await completeNewRun(id, version, { actor: caller, row }, transaction);
    return { ...(await findRun(id, { models }, transaction)), created };
  });
}

/** Locks the event, because a publication meanwhile would leave the run with an old version. */
async function lockPublishedDefinition(id: number, transaction: Transaction) {
  const { EventDefinition, EventVersion } = modelsOf(transaction);
  const lock = transaction.LOCK.SHARE;
  const definition = (await EventDefinition.findByPk(id, { lock, transaction })) as EventDefinition;
  const { state, currentVersionId } = definition;
  if (state === "archived") throw eventStateError("an archived event cannot have new runs");
  if (currentVersionId === null) throw eventStateError("the event was never published");
  const version = await EventVersion.findByPk(currentVersionId, { transaction });
  return { definition, version: version as EventVersion };
}

type Row = Awaited<ReturnType<typeof rowOf>>;

async function rowOf(
  { id: definitionId }: EventDefinition,
  version: EventVersion,
  given: NewRun & { readonly starter: Caller },
  transaction: Transaction,
) {
  const spec = specOf(version);
  const { scope = spec.scope, rehearsal = false, params = {}, starter } = given;
  const scheduledFor = typeof given.scheduledFor === "string" ? new Date(given.scheduledFor) : null;
  await refusePast(scheduledFor, version.graceSeconds, transaction);
  await refuseUnknownServer(scope, transaction);
  const { values, faults } = resolveParams(spec.params, params);
  if (faults.length > 0) throw invalidFieldsError(faults);
  return {
    ...emptyRun,
    definitionId,
    versionId: version.id,
    scope,
    scheduledFor,
    rehearsal,
    concurrencyKey: version.concurrencyKey,
    givenParams: { ...params },
    params: { ...values },
    startedBy: starter.userId,
    startedAs: starter.apiToken && starter.role,
    startedToken: starter.apiToken && starter.apiToken.id,
  };
}

const emptyRun = {
  unfitReason: null,
  currentPhase: null,
  phaseBeganAt: null,
  gateDueAt: null,
  pausedAt: null,
  pausedByStep: null,
  lastError: null,
  startedAt: null,
  endedAt: null,
};

async function refusePast(
  scheduledFor: Date | null,
  graceSeconds: number,
  transaction: Transaction,
): Promise<void> {
  if (!scheduledFor) return;
  const now = await readClock(transaction);
  if (scheduledFor.valueOf() + graceSeconds * 1_000 >= now.valueOf()) return;
  const message = `scheduledFor is more than ${graceSeconds} s in the past`;
  throw invalidFieldsError([{ path: "/scheduledFor", code: "range", message }]);
}

async function refuseUnknownServer(scope: RunScope, transaction: Transaction): Promise<void> {
  const serverId = parseServerId(scope);
  if (serverId === null) return;
  const { SurvivalServer } = modelsOf(transaction);
  if ((await SurvivalServer.count({ where: { id: serverId }, transaction })) > 0) return;
  const message = `there is no survival server ${serverId}`;
  throw invalidFieldsError([{ path: "/scope", code: "unknown", message }]);
}

/** If several requests create the same run, one inserts the row; the others wait and find it. */
async function insertOrFind(
  row: Row,
  transaction: Transaction,
): Promise<{ id: number; created: boolean }> {
  const { EventRun } = modelsOf(transaction);
  const options = { ignoreDuplicates: true, returning: true, transaction } as const;
  const [inserted] = await EventRun.bulkCreate([row], options);
  if (inserted?.id) return { id: inserted.id, created: true };
  const found = await EventRun.findOne({ where: sameOccurrence(row), transaction });
  // The existing run may have ended meanwhile. Then insert the new run again.
  return found ? { id: found.id, created: false } : insertOrFind(row, transaction);
}

const sameOccurrence = ({ definitionId, scope, rehearsal, scheduledFor }: Row): WhereOptions => ({
  definitionId,
  scope,
  rehearsal,
  scheduledFor,
  ...(scheduledFor
    ? { isWithdrawn: false }
    : { status: { [Op.in]: ["scheduled", "running", "paused"] } }),
});

interface CreatedRow {
  readonly actor: Caller;
  readonly row: Row;
}

async function completeNewRun(
  id: number,
  version: EventVersion,
  { actor, row }: CreatedRow,
  transaction: Transaction,
): Promise<void> {
  await copyCaps([id], specOf(version), transaction);
  const { scope, scheduledFor, rehearsal } = row;
  const detail = { by: "person", userId: actor.userId };
  await writeRunLog([{ runId: id, kind: "created", detail }], transaction);
  await notifyRunChanges([id], transaction);
  await recordActivity(
    {
      actor,
      action: "event.run.created",
      target: { type: "run", id },
      detail: { definitionId: row.definitionId, scope, scheduledFor, rehearsal },
    },
    transaction,
  );
}
