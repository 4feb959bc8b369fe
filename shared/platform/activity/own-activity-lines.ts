import type { Sequelize } from "sequelize";

import type { ActivityEntry } from "../../../models/site/activity-entry.ts";
import { rows } from "../db/rows.ts";

/** A line of the log, as shown to its own user. It omits fields that can contain data of other people. */
export interface OwnActivityLine extends Readonly<
  Pick<ActivityEntry, "id" | "at" | "action" | "address">
> {
  readonly by_you: boolean;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

const pageLength = 500;

/** Yields pages of lines by or about a user, newest first. */
export async function* pageOwnActivity(
  userId: number,
  { sequelize }: { readonly sequelize: Sequelize },
): AsyncGenerator<OwnActivityLine[]> {
  let before: number | null = null;
  do {
    const asked: unknown[] = [userId, String(userId), before, pageLength];
    const lines: OwnActivityLine[] = await rows<OwnActivityLine>(sequelize, pageSql, asked);
    yield lines;
    before = lines.length === pageLength ? (lines.at(-1)?.id ?? null) : null;
  } while (before !== null);
}

/**
 * SQL for the lines that meet one condition. Each condition uses its own index; the `union` removes duplicates.
 */
const halfOf = (condition: string): string => `
  (select id, at, action, actor_id, target_type, target_id, address, detail
   from activity_log where ${condition} and ($3::bigint is null or id < $3)
   order by id desc limit $4)`;

const pageSql = `
  select id, at, action, coalesce(actor_id = $1, false) as by_you,
    case when actor_id = $1 then address end as address,
    case when target_type = 'user' and target_id = $2 then detail end as detail
  from (${halfOf("actor_id = $1")} union ${halfOf("target_type = 'user' and target_id = $2")}) line
  order by id desc limit $4`;
