import type { Context } from "../../context.ts";
import { countChanged } from "../../db/rows.ts";

/** Comings and goings, and what was said, are kept for a month; all else for a year. */
const briefKinds = ["player.joined", "player.left", "player.respawned", "player.chat"];
const briefDays = 30;
const longDays = 365;

/** Rows of one delete: small enough that nobody waits for it. */
const slice = 5_000;

type Parts = Pick<Context, "sequelize" | "models">;

/** Deletes what happened on survival servers past the age of its kind. @returns how many events */
export async function pruneHappenings({ sequelize, models }: Parts): Promise<{ deleted: number }> {
  const servers = await models.SurvivalServer.findAll({ attributes: ["id"], raw: true });
  let deleted = 0;
  for (const { id } of servers) {
    for (const kind of briefKinds) {
      deleted += await deleteSlices(deleteBrief, [id, kind, briefDays, slice], sequelize);
    }
  }
  deleted += await deleteSlices(deleteLong, [longDays, slice], sequelize);
  await deleteSlices(deleteNotices, [longDays, slice], sequelize);
  return { deleted };
}

async function deleteSlices(
  statement: string,
  values: readonly unknown[],
  sequelize: Parts["sequelize"],
): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await countChanged(sequelize, statement, values);
    total += deleted;
    if (deleted < slice) return total;
  }
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
