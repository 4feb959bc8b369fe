import type { Context } from "../../platform/context.ts";
import { deleteInBatches, executeStatement, firstRow } from "../../platform/db/rows.ts";
import { recordOmission } from "../storage/omissions.ts";
import {
  deleteOldEventsOfKindSql,
  deleteDayCountsSql,
  deleteEventsOfDaysSql,
  deleteOldDayCountsSql,
  deleteOldEventsSql,
  deleteOldNoticesSql,
  selectLastDayOverLimitSql,
} from "./events.sql.ts";

/** Sessions, respawns and chat are kept for a month, all other events for a year. */
const briefKinds = ["player.joined", "player.left", "player.respawned", "player.chat"];
const briefDays = 30;
const longDays = 365;

/** The shortest retention of any event, in milliseconds. The storage limit may delete events earlier. */
export const shortestKeptMs = briefDays * 86_400_000;

type Parts = Pick<Context, "sequelize" | "models" | "config">;

/** Deletes events that are too old or exceed their server's storage limit. @returns their number */
export async function pruneEvents(context: Parts): Promise<{ deleted: number }> {
  const { sequelize, models } = context;
  const servers = await models.SurvivalServer.findAll({ attributes: ["id"], raw: true });
  let deleted = 0;
  for (const { id } of servers) {
    for (const kind of briefKinds) {
      deleted += await deleteInBatches(deleteOldEventsOfKindSql, [id, kind, briefDays], sequelize);
    }
  }
  deleted += await deleteInBatches(deleteOldEventsSql, [longDays], sequelize);
  for (const { id } of servers) deleted += await deleteOverLimit(id, context);
  await deleteInBatches(deleteOldDayCountsSql, [longDays], sequelize);
  await deleteInBatches(deleteOldNoticesSql, [longDays], sequelize);
  return { deleted };
}

/** @returns the number of events that were deleted because the server exceeded its limit */
async function deleteOverLimit(serverId: number, { sequelize, config }: Parts): Promise<number> {
  const { SURVIVAL_BOUNDS: bounds } = config;
  const values = [serverId, bounds.storedEventBytes];
  const found = await firstRow<{ day: string }>(sequelize, selectLastDayOverLimitSql, values);
  if (!found) return 0;
  const deleted = await deleteInBatches(deleteEventsOfDaysSql, [serverId, found.day], sequelize);
  await executeStatement(sequelize, deleteDayCountsSql, [serverId, found.day]);
  await recordOmission({ serverId, name: "storedEventBytes", count: deleted }, bounds, sequelize);
  return deleted;
}
