import { clockNow } from "../../../models/queries/clock.ts";
import { query } from "../../support/database/query.ts";
import { jobsOf } from "../../support/database/stored-jobs.ts";
import { buildWebhook } from "../../support/factories/webhooks.ts";
import { forEachUser, type FixtureContext } from "./planting.ts";

export async function insertJobFixtures(planting: FixtureContext): Promise<void> {
  await plantFailed(planting);
  await plantDeliveries(planting);
}

async function plantFailed({ on, models, users }: FixtureContext): Promise<void> {
  const queue = "ops.prune-processes";
  await query(
    on,
    `insert into pgboss.job (name, state, output, completed_on, started_on)
     select $1, 'failed', '{"message": "it broke"}', now(), now() from generate_series(1, $2)`,
    queue,
    users.length,
  );
  const failed = (await jobsOf(on, queue)).filter(({ state }) => state === "failed");
  const progress = { queue, phase: "a phase", done: 1 };
  await models.JobProgress.bulkCreate(failed.map(({ id: jobId }) => ({ ...progress, jobId })));
}

async function plantDeliveries(planting: FixtureContext): Promise<void> {
  const origin = "https://planted";
  const { id: webhookId } = await buildWebhook(planting.on, { shownUrl: origin, origin });
  const happenedAt = clockNow();
  await planting.models.WebhookDelivery.bulkCreate(
    forEachUser(planting, () => ({
      webhookId,
      stream: "news",
      data: {},
      happenedAt,
      giveUpAt: happenedAt,
      state: "failed" as const,
    })),
  );
}
