import type { Context } from "../context.ts";
import { countChanged } from "../db/rows.ts";
import { queues } from "../queue/queues.ts";

/** What the page of queues counts of the last hour is kept that long. */
const keptHours = 1;

/** The queue through which pg-boss hands on what its clock fires. */
const firings = "__pgboss__send-it";

const oftenSetOff = Object.entries(queues)
  .filter(([, { cron, isBrief }]) => cron !== undefined || isBrief)
  .map(([name]) => name);

/**
 * Removes completed jobs of the queues that run by the clock, some of them every minute, and of those that
 * game servers set off: pg-boss would keep their rows for a week. What failed or was cancelled stays that long.
 * @returns how many
 */
export const pruneJobs = ({ sequelize }: Pick<Context, "sequelize">): Promise<number> =>
  countChanged(
    sequelize,
    `delete from pgboss.job where name = any($1) and state = 'completed'
       and completed_on < now() - make_interval(hours => $2)`,
    [[...oftenSetOff, firings], keptHours],
  );
