import type { Transaction } from "sequelize";

import type { Target } from "../platform/activity/forget-in-log.ts";
import { modelsOf } from "../platform/db/transaction.ts";

/** What goes with a user who is deleted, and lines of the log are about. */
export async function readOwnThings(userId: number, transaction: Transaction): Promise<Target[]> {
  const { Appeal, SurvivalGrant } = modelsOf(transaction);
  const read = { attributes: ["id"], where: { userId }, transaction };
  const appeals = await Appeal.findAll(read);
  const grants = await SurvivalGrant.findAll(read);
  return [
    ...appeals.map(({ id }) => ({ type: "appeal", id })),
    ...grants.map(({ id }) => ({ type: "survival_grant", id })),
  ];
}
