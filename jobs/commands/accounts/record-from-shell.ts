import type { Transaction } from "sequelize";

import { type Activity, recordActivity } from "../../../shared/platform/activity/activity.ts";

/** Records an operator's action. It has no actor, because nobody is signed in at a shell. */
export const recordShellActivity = (
  { detail, ...activity }: Pick<Activity, "action" | "target" | "detail">,
  transaction: Transaction,
): Promise<void> =>
  recordActivity({ ...activity, actorId: null, detail: { ...detail, from: "shell" } }, transaction);
