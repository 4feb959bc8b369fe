import type { Context } from "../platform/context.ts";
import { deleteInBatches } from "../platform/db/rows.ts";

/** Deletes activity log entries older than `ACTIVITY_RETENTION`, in slices. @returns the number deleted */
export async function pruneActivity({
  sequelize,
  config,
}: Pick<Context, "sequelize" | "config">): Promise<{ deleted: number }> {
  const seconds = config.ACTIVITY_RETENTION / 1000;
  return { deleted: await deleteInBatches(pruneSql, [seconds], sequelize) };
}

/** Reads only the oldest entries. Ids grow with time, so all entries after the first kept one are newer. */
const pruneSql = `
  delete from activity_log where id = any(array(
    select id from (select id, at from activity_log order by id limit $2) oldest
    where at < now() - make_interval(secs => $1)))`;
