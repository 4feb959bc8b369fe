import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import { type Database, rows } from "../../platform/db/rows.ts";

/** A delivery that only this process sends now. */
export type ClaimedDelivery = Pick<
  WebhookDelivery,
  "id" | "webhookId" | "messageId" | "stream" | "data" | "happenedAt" | "attempts" | "tries"
> & {
  /** Milliseconds until the delivery expires. */
  readonly leftMs: number;
};

/**
 * How long a worker may take to send a message and store the outcome, in milliseconds. After this lease another
 * worker retries.
 */
export const computeLeaseMs = (tryMs: number): number => tryMs + 20_000;

/** Claims a webhook's due deliveries. A claim expires, so that deliveries of a dead worker are sent again. */
const statement = `
  with due as (
    select delivery.id from webhook_deliveries delivery
    join webhooks hook on hook.id = delivery.webhook_id
    where webhook_id = $1 and state in ('waiting', 'trying') and next_at <= clock_timestamp()
      and hook.enabled and coalesce(held_until <= clock_timestamp(), true)
    order by next_at limit $2
    for update of delivery skip locked
  ), begun as (
    update webhook_deliveries delivery set
      state = case when give_up_at > clock_timestamp() then 'trying' else 'failed' end,
      error = case when give_up_at > clock_timestamp() then error else coalesce(error, 'expired') end,
      attempts = attempts + case when give_up_at > clock_timestamp() then 1 else 0 end,
      tries = tries + case when give_up_at > clock_timestamp() then 1 else 0 end,
      next_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
    from due where delivery.id = due.id
    returning delivery.*
  )
  select id, webhook_id as "webhookId", message_id as "messageId", stream, data,
    happened_at as "happenedAt", attempts, tries, state,
    (extract(epoch from give_up_at - clock_timestamp()) * 1000)::float8 as "leftMs"
  from begun`;

/** Claims due deliveries of a webhook. @returns null if nothing was due */
export async function claimDeliveries(
  webhookId: number,
  count: number,
  { tryMs, database }: { readonly tryMs: number; readonly database: Database },
): Promise<ClaimedDelivery[] | null> {
  const values = [webhookId, count, computeLeaseMs(tryMs)];
  const begun = await rows<ClaimedDelivery & Pick<WebhookDelivery, "state">>(
    database,
    statement,
    values,
  );
  return begun.length === 0 ? null : begun.filter(({ state }) => state === "trying");
}
