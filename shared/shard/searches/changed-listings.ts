import type { Context } from "../../platform/context.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
import { undoneAlone } from "../../platform/db/savepoint.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Queue } from "../../platform/queue/queue.ts";

/** Debounce of the matching job: changes within this time are matched together. */
export const gatherMs = 500;

/** A job that was enqueued less than this ago has not read the changes yet. */
const orderAgainMs = gatherMs / 2;

/** When each queue last received a job. It is only an optimization: the scheduled job handles the rest. */
const orderedAt = new WeakMap<Queue, number>();

/**
 * Enqueues a job that matches the transaction's changed listings with saved searches after the commit. A
 * failure is logged and rolled back to a savepoint, because it must not make ingest fail.
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

/** Maximum number of unmatched changes to keep: hours of a busy market, about 50 MB. */
const mostWaiting = 500_000;

/** Deletes the oldest unmatched changes, so that they cannot fill the disk while no worker runs. */
export async function forgetChanges({ sequelize }: Pick<Context, "sequelize">): Promise<void> {
  await countChanged(sequelize, forget, [mostWaiting]);
}

/** Approximates the number of rows by ids, which have few gaps. */
const forget = `
  delete from listing_news where id <= (select max(id) from listing_news) - $1::bigint`;
