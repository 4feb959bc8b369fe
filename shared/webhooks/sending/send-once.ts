import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import type { Webhook } from "../../../models/webhooks/webhook.ts";
import { UnreadableSecret } from "../../platform/crypto/sealed.ts";
import type { HookContext } from "../context.ts";
import { type OpenedHook, openHook } from "../hooks/hook-secrets.ts";
import { messageOf } from "../messages/message.ts";
import { type HookOutcome, unsent } from "../receiver/hook-outcome.ts";
import { redactAnswer } from "./redact-answer.ts";

type Sent = Pick<WebhookDelivery, "id" | "messageId" | "stream" | "data" | "happenedAt">;

/** Makes one try of a delivery, and counts it. What comes of it holds nothing that is secret. */
export async function sendOnce(
  hook: Webhook,
  delivery: Sent,
  context: HookContext,
): Promise<HookOutcome> {
  const outcome = await send(hook, delivery, context);
  context.hookServers.counts.note(outcome.fault);
  return outcome;
}

async function send(
  hook: Webhook,
  delivery: Sent,
  { config, hookServers, log }: HookContext,
): Promise<HookOutcome> {
  const { id: webhookId, format, origin } = hook;
  const opened = open(hook, config);
  if (!opened) return unsent("unreadable");
  const message = messageOf(delivery, { format, secrets: opened.secrets });
  const outcome = await hookServers.of(origin).post({ url: opened.url, format, message });
  const { fault, status, reason } = outcome;
  if (fault !== null) {
    const line = { webhookId, deliveryId: delivery.id, origin, fault, status, reason };
    log.warn(line, "a message was not taken");
  }
  return { ...outcome, text: redactAnswer(outcome.text, { ...opened, message }) };
}

/** @returns null when no key opens what is sealed */
function open(hook: Webhook, config: HookContext["config"]): OpenedHook | null {
  try {
    return openHook(hook, config);
  } catch (error) {
    if (error instanceof UnreadableSecret) return null;
    throw error;
  }
}
