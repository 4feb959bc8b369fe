import { type ImportReview, readImportReviews } from "../imports/runs/runs.ts";
import type { Context } from "../platform/context.ts";
import { type QueueStates, readQueueHealth } from "../platform/job-records/queue-health.ts";

export interface QueueReport extends QueueStates {
  readonly reviews: readonly ImportReview[];
}

export async function readQueueReport(
  context: Pick<Context, "sequelize" | "models">,
): Promise<QueueReport> {
  const [now, reviews] = await Promise.all([
    readQueueHealth(context),
    readImportReviews(context.sequelize),
  ]);
  return { ...now, reviews };
}
