import { Op, type Transaction } from "sequelize";

import { modelsOf } from "../../platform/db/transaction.ts";
import { readActionSettings, type ConfiguredAction } from "../actions/action-settings.ts";
import type { EventSpec } from "./spec.ts";

/** The maximum of a dimension that a run may spend, and the action that sets it. */
export interface BudgetCap {
  readonly dimension: string;
  readonly cap: number;
  readonly actionId: string;
}

/** Returns the lowest cap that a spec's actions set for each dimension. */
export function findLowestCaps(
  spec: EventSpec,
  switchboard: readonly ConfiguredAction[],
): BudgetCap[] {
  const used = new Set(spec.phases.flatMap(({ steps }) => steps.map(({ actionId }) => actionId)));
  const caps = new Map<string, BudgetCap>();
  for (const { action, caps: set } of switchboard.filter((one) => used.has(one.action.id))) {
    for (const [dimension, cap] of Object.entries(set)) {
      const tightest = caps.get(dimension);
      if (!tightest || cap < tightest.cap) {
        caps.set(dimension, { dimension, cap, actionId: action.id });
      }
    }
  }
  return [...caps.values()];
}

/** Copies the present caps into runs that have not started. */
export async function copyCaps(
  runIds: readonly number[],
  spec: EventSpec,
  transaction: Transaction,
): Promise<void> {
  const models = modelsOf(transaction);
  const caps = findLowestCaps(spec, await readActionSettings({ models }, transaction));
  await models.EventBudget.destroy({ where: { runId: { [Op.in]: [...runIds] } }, transaction });
  await models.EventBudget.bulkCreate(
    runIds.flatMap((runId) => caps.map((cap) => ({ runId, ...cap }))),
    { transaction },
  );
}
