import { createHash } from "node:crypto";

import type { Transaction } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import { type Actor, recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { readClock } from "../../platform/db/clock.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import { createScheduledRuns } from "../occurrences/create-scheduled-runs.ts";
import { moveRunsToVersion } from "../occurrences/move-runs.ts";
import { fillSpecDefaults } from "../spec/complete.ts";
import { hasWorldChangingSteps } from "../spec/spec.ts";
import { findSpecFaults } from "../spec/validate.ts";
import { findDefinition, lockUnarchivedDefinition } from "./definitions.ts";

export interface PublishResult {
  readonly definition: EventDefinition;
  readonly version: EventVersion;
  /** How many waiting runs were moved to the new version. */
  readonly repinned: number;
}

/**
 * Publishes the working copy, which the caller must have read, as a new version. Moves waiting runs
 * to the new version and creates the runs of its schedule up to the horizon.
 * @throws AppError if the event is archived, or if a catalogue change made its spec invalid
 */
export function publishDefinition(
  id: number,
  actor: Actor,
  { sequelize, models }: Context,
): Promise<PublishResult> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const definition = await lockUnarchivedDefinition(id, "published", transaction);
    const faults = findSpecFaults(definition.spec, definition.timezone);
    if (faults.length > 0) throw invalidFieldsError(faults);
    requireBaseRevision(definition.revision, hasWorldChangingSteps(definition));
    const version = await createVersion(definition, actor.userId, transaction);
    const changes = { currentVersionId: version.id, updatedAt: transactionStart() };
    await definition.update({ state: "ready", ...changes }, { transaction });
    const movedRuns = await moveRunsToVersion(version, transaction);
    await createScheduledRuns(definition, version, await readClock(transaction), transaction);
    const target = { type: "event", id };
    const detail = { version: version.number, repinned: movedRuns };
    await recordActivity(
      { actor, action: "event.definition.published", target, detail },
      transaction,
    );
    return {
      definition: await findDefinition(id, { models }, transaction),
      version,
      repinned: movedRuns,
    };
  });
}

async function createVersion(
  definition: EventDefinition,
  publishedBy: number,
  transaction: Transaction,
): Promise<EventVersion> {
  const { EventVersion } = modelsOf(transaction);
  const definitionId = definition.id;
  const last = await EventVersion.max<number | null, EventVersion>("number", {
    where: { definitionId },
    transaction,
  });
  const { title, summary, body, imageUrl, timezone, graceSeconds, concurrencyKey, revision } =
    definition;
  const spec = fillSpecDefaults(definition.spec);
  const said = {
    title,
    summary,
    body,
    imageUrl,
    timezone,
    graceSeconds,
    concurrencyKey,
    spec,
    revision,
  };
  return EventVersion.create(
    {
      ...said,
      definitionId,
      number: (last ?? 0) + 1,
      specSha256: createHash("sha256").update(JSON.stringify(spec)).digest(),
      publishedBy,
      verifiedAt: null,
      verifiedBy: null,
    },
    { transaction },
  );
}
