import type { Transaction } from "sequelize";

import type { DeletedUser } from "../../../models/auth/deleted-user.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { LinkOnShard } from "../owners/link-mirror.ts";

/**
 * Has the shard undo those of its links that are to users who were deleted here, once the transaction
 * has committed. Links to users whom this site never had are none of its business.
 */
export async function orderUnlinking(
  links: readonly Pick<LinkOnShard, "userId">[],
  within: Transaction | Sql,
  { queue }: Pick<Context, "queue">,
): Promise<void> {
  const deleted = await rows<Pick<DeletedUser, "id">>(
    within,
    "select id from deleted_users where id = any($1::integer[]) order by id",
    [links.map(({ userId }) => userId)],
  );
  const orders = deleted.map(({ id }) => ({ userId: id }));
  await queue.enqueueAll("shard.unlink-user", orders, within);
}
