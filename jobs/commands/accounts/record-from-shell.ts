import type { Transaction } from "sequelize";

import { type Activity, recordActivity } from "../../../shared/platform/activity/activity.ts";

/** Writes the line of what an operator did. Nobody is signed in at a shell: it has no actor. */
export const recordFromShell = (
  { detail, ...activity }: Pick<Activity, "action" | "target" | "detail">,
  transaction: Transaction,
): Promise<void> =>
  recordActivity({ ...activity, actorId: null, detail: { ...detail, from: "shell" } }, transaction);
