import type { Context } from "../../platform/context.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import { inSavepoint } from "../../platform/db/savepoint.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { Queue } from "../../platform/queue/queue.ts";

/** Debounce of the matching job: changes within this time are matched together. */
export const debounceMs = 500;

/** Within this time after a job was enqueued, the job has not read the changes yet, so no other job is needed. */
const enqueueAgainMs = debounceMs / 2;

/**
 * When each queue last received a job, to enqueue fewer jobs. A scheduled job also matches the changes that the
 * enqueued jobs missed.
 */
const enqueuedAt = new WeakMap<Queue, number>();

/**
 * Enqueues a job that matches the transaction's changed listings with saved searches after the commit. A failure
 * is logged and rolled back to a savepoint, so that it does not make ingest fail.
 */
export async function enqueueMatching(
  connection: SqlClient,
  { queue, log }: Pick<Context, "queue" | "log">,
): Promise<void> {
  const now = performance.now();
  if (now - (enqueuedAt.get(queue) ?? -Infinity) < enqueueAgainMs) return;
  if (!(await firstRow(connection, selectChangeSql))) return;
  enqueuedAt.set(queue, now);
  try {
    await inSavepoint(connection, () => queue.enqueue("market.match", {}, { within: connection }));
  } catch (error) {
    log.error({ err: error }, "the search for matching listings could not be enqueued");
  }
}

const selectChangeSql = { name: "market news", text: "select from listing_news limit 1" };

/** Maximum number of unmatched changes to keep: hours of a busy market, about 50 MB. */
const maxPendingChanges = 500_000;

/** Deletes the oldest unmatched changes, so that they cannot fill the disk while no worker runs. */
export async function deleteOldChangedListings({
  sequelize,
}: Pick<Context, "sequelize">): Promise<void> {
  await executeStatement(sequelize, deleteOldSql, [maxPendingChanges]);
}

/** Approximates the number of rows by ids, which have few gaps. */
const deleteOldSql = `
  delete from listing_news where id <= (select max(id) from listing_news) - $1::bigint`;
