import type { Context } from "../../platform/context.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
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

/** Changed listings that wait to be matched at the most: hours of a busy market, some 50 MB. */
const mostWaiting = 500_000;

/**
 * Forgets the oldest changes of listings where nobody has matched them with saved searches for long:
 * what writes them must not fill the disk while no worker takes them.
 */
export async function forgetChanges({ sequelize }: Pick<Context, "sequelize">): Promise<void> {
  await countChanged(sequelize, forget, [mostWaiting]);
}

/** Ids grow with time, and none is skipped for long. */
const forget = `
  delete from listing_news where id <= (select max(id) from listing_news) - $1::bigint`;
