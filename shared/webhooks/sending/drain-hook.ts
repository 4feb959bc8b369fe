import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import type { Context } from "../../platform/context.ts";
import { retryWrite } from "../../platform/db/persist.ts";
import { executeStatement, rows } from "../../platform/db/rows.ts";
import type { HookContext } from "../context.ts";
import { type HookServer, maxConcurrentHookMessages } from "../receiver/hook-server.ts";
import { claimDeliveries } from "./claim.ts";
import { sendDeliveryOnce } from "./send-once.ts";
import { storeDeliveryOutcome } from "./settle.ts";

/** After this time the job ends, so that other webhooks are served. A new job sends the rest. */
const turnMs = 60_000;

/** Webhooks that a job of this process drains. `isWanted` is set if another job asks for the same webhook. */
const draining = new WeakMap<HookContext["hookServers"], Map<number, { isWanted: boolean }>>();

/**
 * Sends a webhook's due deliveries. If several jobs call this function, one job sends, and then checks again for
 * the other jobs.
 */
export async function drainHook(
  webhookId: number,
  context: HookContext,
  signal: AbortSignal,
): Promise<void> {
  const hook = await context.models.Webhook.findByPk(webhookId, { attributes: ["origin"] });
  if (!hook) return;
  const server = context.hookServers.of(hook.origin);
  const turn = AbortSignal.any([signal, AbortSignal.timeout(turnMs)]);
  const isMine = await runExclusively(webhookId, context, async (state) => {
    while (state.isWanted && !turn.aborted && server.breaker.restMs === 0) {
      state.isWanted = false;
      while (!turn.aborted && (await sendNext(webhookId, server, context)));
    }
  });
  signal.throwIfAborted();
  if (isMine) await scheduleNextRun(webhookId, server, { context, isOver: turn.aborted });
}

/** @returns false if another job of this process drains the webhook; that job then checks for deliveries again */
async function runExclusively(
  webhookId: number,
  { hookServers }: HookContext,
  work: (state: { isWanted: boolean }) => Promise<void>,
): Promise<boolean> {
  const drained = draining.get(hookServers) ?? new Map<number, { isWanted: boolean }>();
  draining.set(hookServers, drained);
  const under = drained.get(webhookId);
  if (under) {
    under.isWanted = true;
    return false;
  }
  const state = { isWanted: true };
  drained.set(webhookId, state);
  try {
    await work(state);
    return true;
  } finally {
    drained.delete(webhookId);
  }
}

/** Sends one batch of due deliveries. @returns true if more may be due */
async function sendNext(
  webhookId: number,
  server: HookServer,
  context: HookContext,
): Promise<boolean> {
  const admitted = server.breaker.admit(maxConcurrentHookMessages);
  if (admitted === 0) return false;
  try {
    const limits = { tryMs: context.config.PUSH_TIMEOUT, database: context.sequelize };
    const claimed = await claimDeliveries(webhookId, admitted, limits);
    if (!claimed) return false;
    const hook = await context.models.Webhook.findByPk(webhookId);
    if (!hook) return false;
    await Promise.all(
      claimed.map(async (delivery) => {
        const outcome = await sendDeliveryOnce(hook, delivery, context);
        await retryWrite(() => storeDeliveryOutcome(delivery, { asked: hook, outcome }, context));
      }),
    );
    return true;
  } finally {
    server.breaker.release();
  }
}

/**
 * Schedules a job for the remaining deliveries: at once if this job's time is over, or else for when the breaker
 * allows requests.
 */
async function scheduleNextRun(
  webhookId: number,
  { breaker }: HookServer,
  { context, isOver }: { readonly context: HookContext; readonly isOver: boolean },
): Promise<void> {
  const { restMs } = breaker;
  if (restMs === 0 && !isOver) return;
  const startAfter = new Date(Date.now() + restMs);
  await context.queue.enqueue("webhook.send", { webhookId }, { startAfter });
}

/** A delivery that is overdue by more than this was left by a dead worker. */
const lateSeconds = 30;

type LateWebhook = Pick<WebhookDelivery, "webhookId">;

/** Schedules the deliveries of dead workers, fails expired ones and deletes old ones. */
export async function sweepDeliveries({ sequelize, queue }: Context): Promise<void> {
  await executeStatement(sequelize, failExpiredSql);
  for (const { webhookId } of await rows<LateWebhook>(sequelize, lateWebhooksSql, [lateSeconds])) {
    await queue.enqueue("webhook.send", { webhookId });
  }
  await executeStatement(sequelize, deleteOldSql);
}

/** Fails expired deliveries that nobody sends: the webhook is off, or the worker is dead. */
const failExpiredSql = `
  update webhook_deliveries set state = 'failed', error = coalesce(error, 'expired')
  where give_up_at < clock_timestamp()
    and (state = 'waiting' or state = 'trying' and next_at < clock_timestamp())`;

const lateWebhooksSql = `
  select distinct webhook_id as "webhookId" from webhook_deliveries
  join webhooks hook on hook.id = webhook_id
  where hook.enabled and coalesce(hook.held_until <= clock_timestamp(), true)
    and (state = 'waiting' and next_at < clock_timestamp() - make_interval(secs => $1)
      or state = 'trying' and next_at < clock_timestamp())`;

const deleteOldSql = `
  delete from webhook_deliveries where created_at < clock_timestamp() - interval '30 days'`;
