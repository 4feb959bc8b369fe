import type { Context } from "../context.ts";
import { countChanged } from "../db/rows.ts";

/** Lines of one delete: few enough that writers of the log need not wait for it. */
const slice = 5_000;

/**
 * Deletes lines of the activity log past `ACTIVITY_RETENTION`, in slices.
 * @returns how many were deleted
 */
export async function pruneActivity({
  sequelize,
  config,
}: Pick<Context, "sequelize" | "config">): Promise<{ deleted: number }> {
  for (let deleted = 0; ;) {
    const pruned = await countChanged(sequelize, pruneSql, [
      config.ACTIVITY_RETENTION / 1000,
      slice,
    ]);
    deleted += pruned;
    if (pruned < slice) return { deleted };
  }
}

/**
 * Looks at the oldest lines alone: ids grow with time, so where a slice holds young ones nothing
 * old comes after it.
 */
const pruneSql = `
  delete from activity_log where id = any(array(
    select id from (select id, at from activity_log order by id limit $2) oldest
    where at < now() - make_interval(secs => $1)))`;
