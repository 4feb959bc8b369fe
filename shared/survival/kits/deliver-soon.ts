import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import type { Sql } from "../../platform/db/sql.ts";

/** Has a job give a server what waits for it; one that waits already is enough. */
export async function deliverSoon(
  serverId: number,
  { queue }: Pick<Context, "queue">,
  within?: Transaction | Sql,
  afterMs = 0,
): Promise<void> {
  const name = String(serverId);
  const options = { key: name, subject: name, afterMs, ...(within && { within }) };
  await queue.enqueue("survival.deliver-kits", { serverId }, options);
}
