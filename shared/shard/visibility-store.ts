import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import { notify } from "../notify/notify.ts";
import type { VisibilityOverrides } from "./visibility.ts";

/** What was stored beside the compiled defaults, by feature. */
export async function readVisibilityOverrides(
  sequelize: Sequelize,
  transaction?: Transaction,
): Promise<VisibilityOverrides> {
  const rows = await sequelize.query<{ feature: string; override: object }>(
    "select feature, override from feature_visibility",
    { type: QueryTypes.SELECT, ...(transaction && { transaction }) },
  );
  return Object.fromEntries(rows.map(({ feature, override }) => [feature, override]));
}

/** Replaces what is stored and tells every process. */
export async function writeVisibilityOverrides(
  sequelize: Sequelize,
  overrides: VisibilityOverrides,
  transaction: Transaction,
): Promise<void> {
  await sequelize.query("delete from feature_visibility", { transaction });
  for (const [feature, override] of Object.entries(overrides)) {
    await sequelize.query("insert into feature_visibility (feature, override) values ($1, $2)", {
      bind: [feature, JSON.stringify(override)],
      transaction,
    });
  }
  await notify("visibility", {}, transaction);
}
