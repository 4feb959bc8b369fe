import { setTimeout as sleep } from "node:timers/promises";

import { waitUntil } from "../support/clock/wait.ts";
import type { DatabaseReader } from "./check-states.ts";
import type { History } from "./history.ts";
import type { ObservedWebhook, ObservedWebhooks } from "./hooks.ts";

/**
 * The time until all webhook messages are delivered. A circuit breaker pauses for a minute. The lease of a dead
 * worker's deliveries ends after 30 s. Other workers look for such deliveries every minute.
 */
const settleMs = 240_000;

interface Delivery {
  readonly ref: string;
  readonly webhookId: number;
  readonly messageId: string;
  readonly state: string;
  readonly attempts: number;
}

const deliveriesSql = `
  select ref, webhook_id as "webhookId", 'msg_' || message_id as "messageId", state, attempts
  from webhook_deliveries join pushes on pushes.id = push_id`;

/**
 * Compares the received webhook messages with the announcements. Each webhook must accept each
 * announcement at least once, always with the same id and body, and list it in its log.
 */
export async function checkHooks(
  hooks: ObservedWebhooks,
  announced: readonly string[],
  { read, history }: { readonly read: DatabaseReader; readonly history: History },
): Promise<void> {
  const broughtForward = await untilPosted(read).catch((error: unknown) => {
    history.violate("every delivery to a webhook comes to its end", { error: String(error) });
    return 0;
  });
  const deliveries = await read<Delivery & Record<string, unknown>>(deliveriesSql);
  const byHook = Map.groupBy(deliveries, ({ webhookId }) => webhookId);
  const findings = { deliveries: 0, triedAgain: 0, takenAgain: 0, broughtForward };
  for (const hook of hooks.hooks) {
    const own = byHook.get(hook.id) ?? [];
    const { faults, came } = hook;
    history.claim("a webhook finds every signature good", faults.length === 0, { faults });
    const byRef = Map.groupBy(own, ({ ref }) => ref);
    for (const ref of announced) {
      const found = byRef.get(ref) ?? [];
      const detail = { ref, id: hook.id };
      history.claim("each webhook has one delivery", found.length === 1, { ...detail, found });
    }
    for (const delivery of own) judge(delivery, hook, history);
    const known = new Set(own.map(({ messageId }) => messageId));
    const strays = [...came.keys()].filter((id) => !known.has(id));
    history.claim("a message has the id of its delivery", strays.length === 0, { strays });
    await checkLog(hook, own, { hooks, history });
    findings.deliveries += own.length;
    findings.triedAgain += own.filter(({ attempts }) => attempts > 1).length;
    findings.takenAgain += [...came.values()].filter(({ taken }) => taken > 1).length;
  }
  history.find("webhooks", findings);
}

function judge(delivery: Delivery, { host, came }: ObservedWebhook, history: History): void {
  const { messageId, state, attempts } = delivery;
  const { taken = 0, tries = 0, bodies = new Set<string>() } = came.get(messageId) ?? {};
  const detail = { ...delivery, host, taken, tries };
  history.claim("a webhook takes every announcement", state === "delivered" && taken > 0, detail);
  history.claim("a try is written down before it is made", tries <= attempts, detail);
  history.claim("a message says the same each time", bodies.size <= 1, { ...detail, bodies });
}

async function checkLog(
  hook: ObservedWebhook,
  own: readonly Delivery[],
  { hooks, history }: { readonly hooks: ObservedWebhooks; readonly history: History },
): Promise<void> {
  const log = await hooks.log(hook);
  const shown = new Map(log.map((line) => [line.message_id, line]));
  history.claim("the log tells of nothing else", log.length === own.length, { id: hook.id });
  for (const { messageId, attempts } of own) {
    const line = shown.get(messageId);
    const isTrue = line?.status === "delivered" && line.code === 204 && line.attempts === attempts;
    history.claim("the log tells what became of a delivery", isTrue, { messageId, line });
  }
}

/**
 * Waits until all deliveries are done. The receivers work again, so long retry delays are
 * shortened.
 * @returns the number of shortened delays
 */
async function untilPosted(read: DatabaseReader): Promise<number> {
  const open = `
    select (select count(*) from webhook_deliveries where state in ('waiting', 'trying'))
      + (select count(*) from pushes where dispatched_at is null)
      + (select count(*) from pgboss.job where name = 'webhook.dispatch' and state < 'completed')
        as left`;
  const bringForward = `
    update webhook_deliveries set next_at = clock_timestamp()
    where state = 'waiting' and next_at > clock_timestamp() + interval '20 s' returning id`;
  let count = 0;
  const isPosted = async () => {
    count += (await read(bringForward)).length;
    await sleep(500);
    return (await read<{ left: number }>(open))[0]?.left === 0;
  };
  await waitUntil("every webhook has its messages", isPosted, settleMs);
  return count;
}
