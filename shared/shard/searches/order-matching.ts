import type { Context } from "../../platform/context.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { undoneAlone } from "../../platform/db/savepoint.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Queue } from "../../platform/queue/queue.ts";

/** What comes within so long is matched together. */
export const gatherMs = 500;

/** A job that was ordered less than this ago is still gathering. */
const orderAgainMs = gatherMs / 2;

/** When a job was last ordered. Memory: it only saves orders, and the clock's own job finds what is left. */
const orderedAt = new WeakMap<Queue, number>();

/**
 * Has listings that the transaction changed matched with saved searches, once it has committed. A
 * fault of it is logged and undone by itself, because ingest may not fail of it.
 */
export async function orderMatching(
  connection: Sql,
  { queue, log }: Pick<Context, "queue" | "log">,
): Promise<void> {
  const now = performance.now();
  if (now - (orderedAt.get(queue) ?? -Infinity) < orderAgainMs) return;
  if (!(await firstRow(connection, hasNews))) return;
  orderedAt.set(queue, now);
  try {
    await undoneAlone(connection, () => queue.enqueue("market.match", {}, { within: connection }));
  } catch (error) {
    log.error({ err: error }, "changed listings are not matched");
  }
}

const hasNews = { name: "market news", text: "select from listing_news limit 1" };
