import type { EventDefinition } from "../../../models/events/event-definition.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import { type Actor, recordActivity } from "../../platform/activity/activity.ts";
import { requireBase } from "../../platform/based-on.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { withdrawRuns } from "../occurrences/repin.ts";
import { findDefinition, lockDefinition } from "./definitions.ts";

/** Puts an event away for good: runs that wait are cancelled, and those under way go on. */
export function archiveDefinition(
  id: number,
  actor: Actor,
  { sequelize, models }: Context,
): Promise<EventDefinition> {
  return inTransaction(sequelize, async (transaction) => {
    const definition = await lockDefinition(id, transaction);
    requireBase(definition.revision);
    if (definition.state === "archived") return findDefinition(id, { models }, transaction);
    await definition.update({ state: "archived", updatedAt: transactionStart() }, { transaction });
    const waiting = await models.EventRun.findAll({
      where: { definitionId: id, status: "scheduled" },
      order: ["id"],
      lock: transaction.LOCK.NO_KEY_UPDATE,
      transaction,
    });
    await withdrawRuns(waiting, "definition archived", transaction);
    const target = { type: "event", id };
    const detail = { cancelledRuns: waiting.length };
    await recordActivity(
      { actor, action: "event.definition.archived", target, detail },
      transaction,
    );
    return findDefinition(id, { models }, transaction);
  });
}
