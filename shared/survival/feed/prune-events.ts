import type { Context } from "../../platform/context.ts";
import { deleteInBatches, countChanged, firstRow } from "../../platform/db/rows.ts";
import { todaySql } from "../storage/daily-quota.ts";
import { recordOmission } from "../storage/omissions.ts";

/** Sessions, respawns and chat are kept for a month, all other events for a year. */
const briefKinds = ["player.joined", "player.left", "player.respawned", "player.chat"];
const briefDays = 30;
const longDays = 365;

type Parts = Pick<Context, "sequelize" | "models" | "config">;

/** Deletes events that are too old or exceed their server's storage limit. @returns their number */
export async function pruneEvents(context: Parts): Promise<{ deleted: number }> {
  const { sequelize, models } = context;
  const servers = await models.SurvivalServer.findAll({ attributes: ["id"], raw: true });
  let deleted = 0;
  for (const { id } of servers) {
    for (const kind of briefKinds) {
      deleted += await deleteInBatches(deleteBrief, [id, kind, briefDays], sequelize);
    }
  }
  deleted += await deleteInBatches(deleteLong, [longDays], sequelize);
  for (const { id } of servers) deleted += await deleteOverLimit(id, context);
  await deleteInBatches(deleteDays, [longDays], sequelize);
  await deleteInBatches(deleteNotices, [longDays], sequelize);
  return { deleted };
}

/** @returns the number of events that were deleted because the server exceeded its limit */
async function deleteOverLimit(serverId: number, { sequelize, config }: Parts): Promise<number> {
  const { SURVIVAL_BOUNDS: bounds } = config;
  const values = [serverId, bounds.storedEventBytes];
  const found = await firstRow<{ day: string }>(sequelize, findLastDayOverLimit, values);
  if (!found) return 0;
  const deleted = await deleteInBatches(deleteOfDays, [serverId, found.day], sequelize);
  await countChanged(sequelize, forgetDays, [serverId, found.day]);
  await recordOmission({ serverId, name: "storedEventBytes", count: deleted }, bounds, sequelize);
  return deleted;
}

/** Finds the newest day whose events must go so that later days fit. Today has a limit of its own. */
const findLastDayOverLimit = `
  select max(day)::text as day from (
    select day, sum(kept) over (order by day desc) as bytes from survival_storage_days
    where server_id = $1 and part = 'eventBytes') summed
  where bytes > $2 and day < ${todaySql} having max(day) is not null`;

/** Ids of one server grow with time, so stop after the first batch that contains younger rows. */
const deleteOfDays = `
  delete from survival_events where id = any(array(
    select id from (
      select id, created_at from survival_events where server_id = $1 order by id limit $3) oldest
    where (created_at at time zone 'UTC')::date <= $2::date))`;

const forgetDays = `
  delete from survival_storage_days
  where server_id = $1 and part in ('events', 'eventBytes') and day <= $2::date`;

const deleteDays = `
  delete from survival_storage_days where (server_id, part, day) in (
    select server_id, part, day from survival_storage_days
    where day < ${todaySql} - $1::integer limit $2)`;

/** Ids of one kind grow with time, so stop after the first batch that contains younger rows. */
const deleteBrief = `
  delete from survival_events where id = any(array(
    select id from (
      select id, created_at from survival_events where server_id = $1 and kind = $2
      order by id limit $4) oldest
    where created_at < now() - make_interval(days => $3)))`;

const deleteLong = `
  delete from survival_events where id = any(array(
    select id from survival_events where created_at < now() - make_interval(days => $1)
    order by created_at limit $2))`;

/** Events older than this are not reported again, so their notices are not needed. */
const deleteNotices = `
  delete from survival_notices where ctid = any(array(
    select ctid from survival_notices where told_at < now() - make_interval(days => $1)
    order by told_at limit $2))`;
