import type { Attributes } from "sequelize";

import { clockNow } from "../../../models/queries/clock.ts";
import type { SurvivalPush } from "../../../models/survival/survival-push.ts";
import type { OnDatabase } from "../database/query.ts";

/** Changes how every push stands, of all servers and sorts. */
export const changePushes = async (
  { context }: OnDatabase,
  changes: Partial<Attributes<SurvivalPush>>,
): Promise<void> => void (await context.models.SurvivalPush.update(changes, { where: {} }));

/** Has the pause after a push that failed be over. */
export const endPushPause = (on: OnDatabase): Promise<void> =>
  changePushes(on, { retryAt: clockNow() });

/** Has the time be over in which the worker of a push, or its server, should have been heard of. */
export const endPushWait = (on: OnDatabase): Promise<void> =>
  changePushes(on, { busyUntil: clockNow() });
