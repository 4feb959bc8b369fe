import type { Context } from "../../context.ts";
import { deleteInSlices } from "../../db/delete-slices.ts";

/** Comings and goings, and what was said, are kept for a month; all else for a year. */
const briefKinds = ["player.joined", "player.left", "player.respawned", "player.chat"];
const briefDays = 30;
const longDays = 365;

type Parts = Pick<Context, "sequelize" | "models">;

/** Deletes what happened on survival servers past the age of its kind. @returns how many events */
export async function pruneHappenings({ sequelize, models }: Parts): Promise<{ deleted: number }> {
  const servers = await models.SurvivalServer.findAll({ attributes: ["id"], raw: true });
  let deleted = 0;
  for (const { id } of servers) {
    for (const kind of briefKinds) {
      deleted += await deleteInSlices(deleteBrief, [id, kind, briefDays], sequelize);
    }
  }
  deleted += await deleteInSlices(deleteLong, [longDays], sequelize);
  await deleteInSlices(deleteNotices, [longDays], sequelize);
  return { deleted };
}

/** Ids of a kind grow with time: where a slice holds young ones nothing old comes after it. */
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

/** By then nothing can be met again that was told. */
const deleteNotices = `
  delete from survival_notices where ctid = any(array(
    select ctid from survival_notices where told_at < now() - make_interval(days => $1)
    order by told_at limit $2))`;
