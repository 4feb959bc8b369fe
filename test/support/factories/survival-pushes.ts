import type { Attributes } from "sequelize";

import { clockNow } from "../../../models/queries/clock.ts";
import type { SurvivalSync } from "../../../models/survival/survival-sync.ts";
import type { OnDatabase } from "../database/query.ts";

/** Changes the state of every push, of all servers and kinds. */
export const changePushes = async (
  { context }: OnDatabase,
  changes: Partial<Attributes<SurvivalSync>>,
): Promise<void> => void (await context.models.SurvivalPush.update(changes, { where: {} }));

/** Ends the retry delay after a failed push. */
export const endPushPause = (on: OnDatabase): Promise<void> =>
  changePushes(on, { retryAt: clockNow() });

/** Expires the time limit for the push's worker or server. */
export const endPushWait = (on: OnDatabase): Promise<void> =>
  changePushes(on, { busyUntil: clockNow() });
