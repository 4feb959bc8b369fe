import type { Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { notify } from "../../platform/notify/notify.ts";
import type { VisibilityOverrides } from "./visibility.ts";

/** What was stored beside the compiled defaults, by feature. */
export async function readVisibilityOverrides(
  { FeatureVisibility }: Models,
  transaction?: Transaction,
): Promise<VisibilityOverrides> {
  const stored = await FeatureVisibility.findAll({
    raw: true,
    ...(transaction && { transaction }),
  });
  return Object.fromEntries(stored.map(({ feature, override }) => [feature, override]));
}

/** Replaces what is stored and tells every process. */
export async function writeVisibilityOverrides(
  { FeatureVisibility }: Models,
  overrides: VisibilityOverrides,
  transaction: Transaction,
): Promise<void> {
  const changed = Object.entries(overrides);
  await FeatureVisibility.destroy({ where: {}, transaction });
  await FeatureVisibility.bulkCreate(
    changed.map(([feature, override]) => ({ feature, override: { ...override } })),
    { transaction },
  );
  await notify("visibility", {}, transaction);
}
