import type { Transaction } from "sequelize";

import { clockNowPlus, clockNow } from "../../../models/queries/clock.ts";
import type { WebhookDeliveryState } from "../../../models/webhooks/webhook-delivery.ts";
import type {
  Webhook,
  WebhookDisabledReason,
  WebhookFault,
} from "../../../models/webhooks/webhook.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import type { HookContext } from "../context.ts";
import { hasUrlChanged } from "../hooks/hook-secrets.ts";
import type { HookOutcome } from "../receiver/hook-outcome.ts";
import type { ClaimedDelivery } from "./claim.ts";

/** The maximum number of attempts: the first one and eight retries. */
export const maxAttempts = 9;
const longestWaitMs = 8 * 3_600_000;
/** A webhook that fails for longer than this is switched off at the next failure. */
const failingMs = 5 * 24 * 3_600_000;

/** The number of attempts of a delivery, and the time until it expires. */
type AttemptState = Pick<ClaimedDelivery, "tries" | "leftMs">;

/**
 * Returns the delay before a retry; null to give up. Nine attempts fit within a day, including their random
 * delays.
 */
export function computeRetryDelayMs(
  { tries, leftMs }: AttemptState,
  { fault, holdMs }: Pick<HookOutcome, "fault" | "holdMs">,
  firstMs: number,
): number | null {
  if (fault === null || fault === "gone" || tries >= maxAttempts) return null;
  const waitMs = Math.min(firstMs * 4 ** (tries - 1), longestWaitMs) * (1 + Math.random() / 5);
  const retryMs = Math.max(waitMs, holdMs ?? 0);
  return retryMs < leftMs ? retryMs : null;
}

/** The outcome of an attempt, and the webhook as it was before the attempt. */
interface Attempt {
  readonly asked: Webhook;
  readonly outcome: HookOutcome;
}

/** Stores an outcome. Locks the webhook before the delivery, as changing a webhook does, to avoid a deadlock. */
export async function storeDeliveryOutcome(
  claimed: ClaimedDelivery,
  { asked, outcome }: Attempt,
  context: HookContext,
): Promise<void> {
  const written = await inTransaction(context.sequelize, async (transaction) => {
    const { Webhook: Hook } = modelsOf(transaction);
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const hook = await Hook.findByPk(claimed.webhookId, { transaction, lock });
    if (!hook) return null;
    // The outcome of an attempt at the former address says nothing about the new address.
    const isOfNow = !hasUrlChanged(asked, hook, context.config);
    const retryMs = isOfNow
      ? computeRetryDelayMs(claimed, outcome, context.config.WEBHOOK_RETRY)
      : movedRetryMs(claimed, outcome);
    if (!(await writeDelivery(claimed, { outcome, retryMs }, transaction))) return null;
    const wasEnabled = hook.enabled;
    if (isOfNow) await storeHookOutcome(hook, { outcome, isFinal: retryMs === null }, transaction);
    const { id: webhookId, enabled } = hook;
    const holdMs = isOfNow ? outcome.holdMs : null;
    const wakeMs = Math.min(retryMs ?? Infinity, holdMs ?? Infinity);
    if (enabled && wakeMs < Infinity) {
      const startAfter = new Date(Date.now() + wakeMs);
      const options = { within: transaction, startAfter };
      await context.queue.enqueue("webhook.send", { webhookId }, options);
    }
    return { isRetried: enabled && retryMs !== null, isSwitchedOff: wasEnabled && !enabled };
  });
  const { counts } = context.hookServers;
  if (written?.isRetried) counts.retried += 1;
  if (written?.isSwitchedOff) counts.switchedOff += 1;
}

/**
 * Returns the retry delay of a delivery whose webhook moved during the attempt: 0 after a failure; null to end
 * the delivery.
 */
const movedRetryMs = (
  { leftMs }: Pick<AttemptState, "leftMs">,
  { fault }: Pick<HookOutcome, "fault">,
): number | null => (fault !== null && leftMs > 0 ? 0 : null);

/** Stores the outcome on the delivery. @returns false if another attempt has replaced this one */
async function writeDelivery(
  { id, attempts }: ClaimedDelivery,
  { outcome, retryMs }: { readonly outcome: HookOutcome; readonly retryMs: number | null },
  transaction: Transaction,
): Promise<boolean> {
  const { fault, status, text } = outcome;
  const [count] = await modelsOf(transaction).WebhookDelivery.update(
    {
      state: stateAfter(fault, retryMs),
      ...(retryMs !== null && { nextAt: clockNowPlus(retryMs) }),
      ...(fault === null && { deliveredAt: clockNow() }),
      code: status,
      error: fault,
      answer: text === "" ? null : text,
    },
    { where: { id, attempts, state: "trying" }, transaction },
  );
  return count > 0;
}

function stateAfter(
  fault: WebhookFault | null,
  retryMs: number | null,
): Exclude<WebhookDeliveryState, "trying"> {
  if (fault === null) return "delivered";
  return retryMs === null ? "failed" : "waiting";
}

interface HookAttemptResult {
  readonly outcome: Pick<HookOutcome, "fault" | "holdMs">;
  /** True if the message is not retried. */
  readonly isFinal: boolean;
}

/** Stores the outcome. Switches the webhook off if its receiver deleted it or if it fails for too long. */
async function storeHookOutcome(
  hook: Webhook,
  { outcome: { fault, holdMs }, isFinal }: HookAttemptResult,
  transaction: Transaction,
): Promise<void> {
  const hasFailedLong =
    hook.failingSince !== null && Date.now() - hook.failingSince.valueOf() > failingMs;
  const failing = isFinal ? { failingSince: hook.failingSince ?? clockNow() } : {};
  await hook.update(
    {
      lastError: fault,
      ...(fault === null ? { lastSuccessAt: clockNow(), failingSince: null } : failing),
      ...(holdMs !== null && { heldUntil: clockNowPlus(holdMs) }),
    },
    { transaction },
  );
  if (fault === "gone") await switchOff(hook, "gone", transaction);
  else if (fault !== null && hasFailedLong) await switchOff(hook, "failing", transaction);
}

/** Fails the waiting deliveries. They can be sent again once the webhook is on. */
async function switchOff(hook: Webhook, reason: WebhookDisabledReason, transaction: Transaction) {
  if (!hook.enabled) return;
  await hook.update({ enabled: false, disabledReason: reason }, { transaction });
  await modelsOf(transaction).WebhookDelivery.update(
    { state: "failed", error: hook.lastError },
    { where: { webhookId: hook.id, state: "waiting" }, transaction },
  );
  const target = { type: "webhook", id: hook.id };
  const line = { actorId: null, action: "webhook.disabled", target, detail: { reason } };
  await recordActivity(line, transaction);
}
