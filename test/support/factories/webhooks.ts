import type { Attributes, CreationAttributes, WhereOptions } from "sequelize";

import { clockNowPlus, clockNow } from "../../../models/queries/clock.ts";
import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import type { Webhook } from "../../../models/webhooks/webhook.ts";
import type { DatabaseHolder } from "../database/query.ts";

/**
 * Inserts a webhook. By default it is enabled, has no streams, and no server listens at its
 * address.
 */
export const buildWebhook = (
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<Webhook>> = {},
): Promise<Webhook> =>
  context.models.Webhook.create({
    format: "standard",
    shownUrl: "",
    urlSealed: "",
    origin: "",
    streams: [],
    secretSealed: null,
    formerSecretSealed: null,
    formerSecretUntil: null,
    lastSuccessAt: null,
    lastError: null,
    failingSince: null,
    disabledReason: null,
    heldUntil: null,
    ...given,
  });

/** Inserts a delivery. By default it waits, is due and expires in a day. */
export const buildWebhookDelivery = (
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<WebhookDelivery>> & Pick<WebhookDelivery, "webhookId">,
): Promise<WebhookDelivery> =>
  context.models.WebhookDelivery.create({
    pushId: null,
    stream: "site.notice",
    data: {},
    happenedAt: clockNow(),
    giveUpAt: clockNowPlus(24 * 60 * 60 * 1_000),
    code: null,
    error: null,
    answer: null,
    deliveredAt: null,
    ...given,
  });

/** Changes only the rows of all webhooks. A change by the service would have further effects. */
export const changeWebhooks = async (
  { context }: DatabaseHolder,
  changes: Partial<Attributes<Webhook>>,
): Promise<void> => void (await context.models.Webhook.update(changes, { where: {} }));

export const changeDeliveries = async (
  { context }: DatabaseHolder,
  where: WhereOptions<WebhookDelivery>,
  changes: Partial<Attributes<WebhookDelivery>>,
): Promise<void> => void (await context.models.WebhookDelivery.update(changes, { where }));
