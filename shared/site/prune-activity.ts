import type { Context } from "../platform/context.ts";
import { deleteInSlices } from "../platform/db/rows.ts";

/**
 * Deletes lines of the activity log past `ACTIVITY_RETENTION`, in slices.
 * @returns how many were deleted
 */
export async function pruneActivity({
  sequelize,
  config,
}: Pick<Context, "sequelize" | "config">): Promise<{ deleted: number }> {
  const seconds = config.ACTIVITY_RETENTION / 1000;
  return { deleted: await deleteInSlices(pruneSql, [seconds], sequelize) };
}

/**
 * Looks at the oldest lines alone: ids grow with time, so where a slice holds young ones nothing
 * old comes after it.
 */
const pruneSql = `
  delete from activity_log where id = any(array(
    select id from (select id, at from activity_log order by id limit $2) oldest
    where at < now() - make_interval(secs => $1)))`;
