import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import type { Sql } from "../../platform/db/sql.ts";

interface Holding {
  readonly within?: Transaction | Sql;
  readonly context: Pick<Context, "queue" | "config">;
  /** How long the job may wait; until a third of a lease is over where this is left out. */
  readonly afterMs?: number;
}

/** Has a job look after the zones of a server; one that waits already is enough. */
export async function holdSoon(
  serverId: number,
  { within, context: { queue, config }, afterMs = config.SURVIVAL_LEASE_TTL / 3 }: Holding,
): Promise<void> {
  await queue.enqueue(
    "survival.hold-zones",
    { serverId },
    {
      key: String(serverId),
      subject: String(serverId),
      afterMs,
      ...(within && { within }),
    },
  );
}
