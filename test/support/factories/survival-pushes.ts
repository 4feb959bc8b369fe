import type { Attributes } from "sequelize";

import { clockNow } from "../../../models/queries/clock.ts";
import type { SurvivalSync } from "../../../models/survival/survival-sync.ts";
import type { DatabaseHolder } from "../database/query.ts";

/** Changes the state of the synchronizations of all servers and kinds. */
export const changePushes = async (
  { context }: DatabaseHolder,
  changes: Partial<Attributes<SurvivalSync>>,
): Promise<void> => void (await context.models.SurvivalPush.update(changes, { where: {} }));

/** Ends the delay before the retry of a failed synchronization. */
export const endPushPause = (on: DatabaseHolder): Promise<void> =>
  changePushes(on, { retryAt: clockNow() });

/** Ends the time that the worker or the game server has for a synchronization. */
export const endPushWait = (on: DatabaseHolder): Promise<void> =>
  changePushes(on, { busyUntil: clockNow() });
