import { Op, type Transaction, type Sequelize } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import { clockNowPlus, clockNow } from "../../../models/queries/clock.ts";
import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import type { Webhook } from "../../../models/webhooks/webhook.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, notFoundError } from "../../platform/errors/errors.ts";
import type { HookContext } from "../context.ts";
import { maxDeliveryMs } from "./dispatch.ts";
import { findHook } from "./hooks.ts";

export interface DeliveryPage {
  readonly rows: readonly WebhookDelivery[];
  readonly total: number;
}

/** Lists the sent and waiting deliveries of a webhook, newest first. */
export async function listDeliveries(
  { id: webhookId }: Webhook,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  { models: { WebhookDelivery: Delivery } }: HookContext,
): Promise<DeliveryPage> {
  const where = { webhookId };
  const [total, rows] = await Promise.all([
    Delivery.count({ where }),
    Delivery.findAll({ where, order: [["id", "DESC"]], limit, offset }),
  ]);
  return { rows, total };
}

/** The fields that restart a delivery. The delivery keeps its id. */
const restartFields = () => ({
  state: "waiting" as const,
  tries: 0,
  nextAt: clockNow(),
  giveUpAt: clockNowPlus(maxDeliveryMs),
});

/**
 * Sends a delivery again, in any state except while it is being sent.
 * @throws AppError not_found, or webhook_disabled if the webhook is off
 */
export function retryDelivery(
  webhookId: number,
  deliveryId: number,
  actor: Caller,
  context: HookContext,
): Promise<WebhookDelivery> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    await requireEnabled(webhookId, context, transaction);
    const delivery = await modelsOf(transaction).WebhookDelivery.findOne({
      where: { id: matchClientId(deliveryId), webhookId },
      transaction,
      lock: transaction.LOCK.NO_KEY_UPDATE,
    });
    if (!delivery) throw notFoundError("Unknown delivery");
    if (delivery.state !== "trying") {
      await delivery.update(restartFields(), { transaction });
      await delivery.reload({ transaction });
    }
    const detail = { deliveryId: delivery.id };
    await scheduleRedelivery(webhookId, { actor, detail }, transaction, context);
    return delivery;
  });
}

/**
 * Sends all stored failed deliveries again, except test messages.
 * @returns the number of deliveries
 * @throws AppError not_found, or webhook_disabled if the webhook is off
 */
export function retryFailedDeliveries(
  webhookId: number,
  actor: Caller,
  context: HookContext,
): Promise<number> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    await requireEnabled(webhookId, context, transaction);
    const [count] = await modelsOf(transaction).WebhookDelivery.update(restartFields(), {
      where: { webhookId, state: "failed", pushId: { [Op.not]: null } },
      transaction,
    });
    if (count > 0) {
      await scheduleRedelivery(webhookId, { actor, detail: { count } }, transaction, context);
    }
    return count;
  });
}

async function requireEnabled(
  webhookId: number,
  context: HookContext,
  transaction: Transaction,
): Promise<void> {
  const { enabled } = await findHook(webhookId, context, transaction);
  if (!enabled) throw new AppError("webhook_disabled", "The webhook is switched off");
}

async function scheduleRedelivery(
  webhookId: number,
  { actor, detail }: { readonly actor: Caller; readonly detail: Record<string, unknown> },
  transaction: Transaction,
  { queue }: Context,
): Promise<void> {
  const target = { type: "webhook", id: webhookId };
  await recordActivity({ actor, action: "webhook.redelivered", target, detail }, transaction);
  await queue.enqueue("webhook.send", { webhookId }, { within: transaction });
}

type HookState = "well" | "failing" | "off";

/** Measurements of all webhooks. */
export interface WebhookStats {
  readonly hooks: Readonly<Record<HookState, number>>;
  /** The number of unfinished deliveries by state. */
  readonly deliveries: Readonly<Record<"waiting" | "trying", number>>;
  /** The age of the oldest due delivery. Webhooks that are off or on hold are not counted. */
  readonly oldestSeconds: number;
}

const statement = `
  select (
    select json_build_object(
      'well', count(*) filter (where enabled and failing_since is null),
      'failing', count(*) filter (where enabled and failing_since is not null),
      'off', count(*) filter (where not enabled))
    from webhooks
  ) as hooks, (
    select json_build_object(
      'waiting', count(*) filter (where state = 'waiting'),
      'trying', count(*) filter (where state = 'trying'))
    from webhook_deliveries where state in ('waiting', 'trying')
  ) as deliveries, (
    select coalesce(extract(epoch from clock_timestamp() - min(greatest(next_at, held_until))), 0)::float8
    from webhook_deliveries join webhooks hook on hook.id = webhook_id
    where state in ('waiting', 'trying') and next_at <= clock_timestamp() and hook.enabled
      and coalesce(held_until <= clock_timestamp(), true)
  ) as "oldestSeconds"`;

const none: WebhookStats = {
  hooks: { well: 0, failing: 0, off: 0 },
  deliveries: { waiting: 0, trying: 0 },
  oldestSeconds: 0,
};

export const readWebhookStats = async (sequelize: Sequelize): Promise<WebhookStats> =>
  (await firstRow<WebhookStats>(sequelize, statement)) ?? none;
