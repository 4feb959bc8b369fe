import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import type { Webhook } from "../../../models/webhooks/webhook.ts";
import { UnreadableSecretError } from "../../platform/crypto/sealed.ts";
import { maskSecretForms } from "../../platform/secret-texts/secret-forms.ts";
import { secretMask } from "../../platform/secret-texts/secret-names.ts";
import type { HookContext } from "../context.ts";
import { type UnsealedHook, unsealHook } from "../hooks/hook-secrets.ts";
import { buildMessage, type HookMessage } from "../messages/message.ts";
import { type HookOutcome, createNoAnswerOutcome } from "../receiver/hook-outcome.ts";

type SentDelivery = Pick<WebhookDelivery, "id" | "messageId" | "stream" | "data" | "happenedAt">;

/** Sends a delivery once and counts the outcome. The returned outcome contains no secrets. */
export async function sendDeliveryOnce(
  hook: Webhook,
  delivery: SentDelivery,
  context: HookContext,
): Promise<HookOutcome> {
  const outcome = await send(hook, delivery, context);
  context.hookServers.counts.record(outcome.fault);
  return outcome;
}

async function send(
  hook: Webhook,
  delivery: SentDelivery,
  { config, hookServers, log }: HookContext,
): Promise<HookOutcome> {
  const { id: webhookId, format, origin } = hook;
  const opened = open(hook, config);
  if (!opened) return createNoAnswerOutcome("unreadable");
  const message = buildMessage(delivery, { format, secrets: opened.secrets });
  const outcome = await hookServers.of(origin).post({ url: opened.url, format, message });
  const { fault, status, reason } = outcome;
  if (fault !== null) {
    const line = { webhookId, deliveryId: delivery.id, origin, fault, status, reason };
    log.warn(line, "the receiver of a webhook did not accept a message");
  }
  return { ...outcome, text: redactAnswer(outcome.text, { ...opened, message }) };
}

/** Decrypts the webhook. @returns null if no key decrypts the sealed columns */
function open(hook: Webhook, config: HookContext["config"]): UnsealedHook | null {
  try {
    return unsealHook(hook, config);
  } catch (error) {
    if (error instanceof UnreadableSecretError) return null;
    throw error;
  }
}

/** The maximum length of a stored answer, in characters. */
const longest = 500;
/** Shorter sections of an address are not masked, because they are common words. */
const shortestSecret = 8;

/** Masks secrets, signatures and sections of the address, which a receiver can echo, and unprintable characters. */
function redactAnswer(
  text: string,
  { url, secrets, message }: UnsealedHook & { readonly message: HookMessage },
): string {
  let shown = text;
  for (const secret of secretsOf(url, secrets, message)) {
    shown = shown.replaceAll(secret, secretMask);
  }
  return maskSecretForms(shown)
    .replaceAll(/[\s\p{C}\uFFFD]+/gu, " ")
    .slice(0, longest)
    .trim();
}

function secretsOf(url: string, secrets: readonly string[], { headers }: HookMessage): string[] {
  const { href, pathname, search, searchParams } = new URL(url);
  const signatures = headers["webhook-signature"]?.split(" ") ?? [];
  const all = [
    ...secrets.flatMap((secret) => [secret, secret.slice(secret.indexOf("_") + 1)]),
    ...signatures.flatMap((signature) => [signature, signature.slice(signature.indexOf(",") + 1)]),
    href,
    pathname + search,
    ...searchParams.values(),
    ...pathname.split("/"),
  ];
  // Mask the longest secrets first: masking a substring would leave the rest of a longer secret readable.
  return all
    .filter(({ length }) => length >= shortestSecret)
    .toSorted((one, other) => other.length - one.length);
}
