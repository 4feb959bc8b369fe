import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import type { Context } from "../../platform/context.ts";
import { countChanged, rows } from "../../platform/db/rows.ts";

/** What must have been taken up by then was left by a worker that died. */
const lateSeconds = 30;

type Left = Pick<WebhookDelivery, "webhookId">;

/** Takes up what the jobs of dead workers left, gives up what had its time, and forgets what is old. */
export async function sweepDeliveries({ sequelize, queue }: Context): Promise<void> {
  await countChanged(sequelize, expired);
  for (const { webhookId } of await rows<Left>(sequelize, unsent, [lateSeconds])) {
    await queue.enqueue("webhook.send", { webhookId });
  }
  await countChanged(sequelize, over);
}

/** Those of a webhook that is off, also what somebody was sending who is dead. */
const expired = `
  update webhook_deliveries set state = 'failed', error = coalesce(error, 'expired')
  where give_up_at < clock_timestamp()
    and (state = 'waiting' or state = 'trying' and next_at < clock_timestamp())`;

const unsent = `
  select distinct webhook_id as "webhookId" from webhook_deliveries
  join webhooks hook on hook.id = webhook_id
  where hook.enabled and coalesce(hook.held_until <= clock_timestamp(), true)
    and (state = 'waiting' and next_at < clock_timestamp() - make_interval(secs => $1)
      or state = 'trying' and next_at < clock_timestamp())`;

const over = `
  delete from webhook_deliveries where created_at < clock_timestamp() - interval '30 days'`;
