import { clockNowPlus, clockNow } from "../../../models/queries/clock.ts";
import type { Webhook } from "../../../models/webhooks/webhook.ts";
import { runWithoutRightsCheck } from "../../platform/access/caller-rights.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import type { HookContext } from "../context.ts";
import { findHook } from "../hooks/hooks.ts";
import type { HookOutcome } from "../receiver/hook-outcome.ts";
import { computeLeaseMs } from "./claim.ts";
import { sendDeliveryOnce } from "./send-once.ts";
import { storeDeliveryOutcome } from "./settle.ts";

/** Sends one logged test message without retries, even to a webhook that is off. @throws not_found */
export async function testHook(
  { id: webhookId }: Pick<Webhook, "id">,
  actor: Caller,
  context: HookContext,
): Promise<HookOutcome> {
  const { hook, delivery } = await inCallersTransaction(context.sequelize, async (transaction) => {
    // Read the webhook again: it can be deleted or changed during the attempt.
    const found = await findHook(webhookId, context, transaction);
    const made = await context.models.WebhookDelivery.create(
      {
        webhookId,
        pushId: null,
        stream: "test",
        data: { ref: String(webhookId), event: null },
        happenedAt: clockNow(),
        state: "trying",
        attempts: 1,
        tries: 1,
        giveUpAt: clockNow(),
        nextAt: clockNowPlus(computeLeaseMs(context.config.PUSH_TIMEOUT)),
        code: null,
        error: null,
        answer: null,
        deliveredAt: null,
      },
      { transaction },
    );
    const target = { type: "webhook", id: webhookId };
    await recordActivity({ actor, action: "webhook.tested", target }, transaction);
    return { hook: found, delivery: await made.reload({ transaction }) };
  });
  const outcome = await sendDeliveryOnce(hook, delivery, context);
  const { id, messageId, stream, data, happenedAt, attempts, tries } = delivery;
  const sent = { id, webhookId, messageId, stream, data, happenedAt, attempts, tries, leftMs: 0 };
  // Store the outcome even if the caller's session has ended during the attempt.
  await runWithoutRightsCheck(() => storeDeliveryOutcome(sent, { asked: hook, outcome }, context));
  return outcome;
}
