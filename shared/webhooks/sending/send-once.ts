import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import type { Webhook } from "../../../models/webhooks/webhook.ts";
import { UnreadableSecret } from "../../platform/crypto/sealed.ts";
import { coverForms } from "../../platform/secret-texts/secret-forms.ts";
import { secretMask } from "../../platform/secret-texts/secret-names.ts";
import type { HookContext } from "../context.ts";
import { type OpenedHook, openHook } from "../hooks/hook-secrets.ts";
import { messageOf, type HookMessage } from "../messages/message.ts";
import { type HookOutcome, unsent } from "../receiver/hook-outcome.ts";

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

/** Characters that are kept. */
const longest = 500;
/** What is shorter is a word and no secret. */
const shortestSecret = 8;

/**
 * The beginning of an answer as staff may read it. A receiver may send back what it was sent: nothing
 * that signs or addresses a message is kept, and no character that a text cannot hold.
 */
function redactAnswer(
  text: string,
  { url, secrets, message }: OpenedHook & { readonly message: HookMessage },
): string {
  let shown = text;
  for (const secret of secretsOf(url, secrets, message)) {
    shown = shown.replaceAll(secret, secretMask);
  }
  return coverForms(shown)
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
  // The longest first, so that none is left because a part of it is covered.
  return all
    .filter(({ length }) => length >= shortestSecret)
    .toSorted((one, other) => other.length - one.length);
}
