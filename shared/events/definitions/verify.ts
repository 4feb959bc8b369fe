import { Op } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { type Actor, recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { readClock } from "../../platform/db/clock.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import type { EventContext } from "../context.ts";
import { hasWorldChangingSteps } from "../spec/spec.ts";
import { type DryRunReport, dryRunEvent } from "./report.ts";

export const verifyTargets = ["published", "draft"] as const;
export type VerifyTarget = (typeof verifyTargets)[number];

export interface VerifyResult {
  readonly target: VerifyTarget;
  readonly version: Pick<EventVersion, "id" | "number"> | null;
  /** True if the published version passed the dry run and is now marked as verified. */
  readonly recorded: boolean;
  readonly report: DryRunReport;
}

/**
 * Makes a dry run of the published version. Uses the draft if the caller asks for it or if no version is
 * published.
 */
export async function verifyDefinition(
  definition: EventDefinition,
  asked: VerifyTarget,
  caller: Caller,
  context: EventContext,
): Promise<VerifyResult> {
  const { currentVersionId } = definition;
  const version =
    asked === "draft" || currentVersionId === null
      ? null
      : await context.models.EventVersion.findByPk(currentVersionId);
  const now = await readClock(context.sequelize);
  const { spec, timezone, revision } = version ?? definition;
  // A version never changes, so its revision is still the same when the result is recorded.
  requireBaseRevision(revision, version !== null && hasWorldChangingSteps(version));
  const hasWaiting = await hasWaitingRun(definition, context);
  const report = await dryRunEvent({ spec, timezone, role: caller.role, hasWaiting, now }, context);
  const recorded = version !== null && report.ok;
  if (recorded) await recordVerification(version, caller, context);
  return { target: version ? "published" : "draft", version, recorded, report };
}

/** Returns true if a run with a start time has not started, even if it is due now. */
async function hasWaitingRun(
  { id: definitionId }: EventDefinition,
  { models }: Pick<Context, "models">,
): Promise<boolean> {
  const where = { definitionId, status: "scheduled", rehearsal: false } as const;
  const count = await models.EventRun.count({
    where: { ...where, scheduledFor: { [Op.not]: null } },
  });
  return count > 0;
}

function recordVerification(
  version: EventVersion,
  actor: Actor,
  { sequelize }: Context,
): Promise<void> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const changes = { verifiedAt: transactionStart(), verifiedBy: actor.userId };
    await version.update(changes, { transaction });
    const target = { type: "event", id: version.definitionId };
    const detail = { version: version.number };
    await recordActivity(
      { actor, action: "event.definition.verified", target, detail },
      transaction,
    );
  });
}
