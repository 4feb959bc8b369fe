import type { Context } from "../../platform/context.ts";
import { deleteInBatches } from "../../platform/db/rows.ts";

/** Clears the encrypted successors of refresh tokens whose grace period has ended. @returns their number */
export async function clearTokenSuccessors({
  sequelize,
  config,
}: Pick<Context, "sequelize" | "config">): Promise<{ readonly forgotten: number }> {
  const graceSeconds = config.REFRESH_GRACE / 1000;
  return { forgotten: await deleteInBatches(clearSql, [graceSeconds], sequelize) };
}

/** Skips a row that a refresh has locked. That refresh or the next run clears it. */
const clearSql = `
  update mobile_sessions set successor_sealed = null
  where id in (
    select id from mobile_sessions
    where successor_sealed is not null
      and consumed_at <= clock_timestamp() - make_interval(secs => $1::float8)
    limit $2 for update skip locked
  )`;
