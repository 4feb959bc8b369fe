import { Op, type Transaction } from "sequelize";

import type { Push } from "../../../models/push/push.ts";
import { clockAfter } from "../../../models/queries/clock.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type HookStream, hookStreamsOf, isOpenToAll } from "../catalogue/hook-streams.ts";
import type { HookContext } from "../context.ts";
import { readPublicEvent } from "./public-event.ts";

/** For so long a delivery is tried. */
export const deliveryMs = 24 * 3_600_000;

const listeningTo = (streams: readonly HookStream[]) => ({
  enabled: true,
  streams: { [Op.overlap]: [...streams] },
});

/** A notice to some people goes out on a public stream too, as a push to each: it is theirs alone. */
const isForAll = ({ userId }: Pick<Push, "userId">): boolean => userId === null;

/** Has webhooks told of a push that is for everybody, if there is any that wants to be. */
export async function orderHookDispatch(
  push: Pick<Push, "id" | "stream" | "userId">,
  transaction: Transaction,
  { models, queue }: Pick<Context, "models" | "queue">,
): Promise<void> {
  const { id: pushId, stream: announced } = push;
  const streams = hookStreamsOf(announced);
  if (streams.length === 0 || !isForAll(push)) return;
  const wanted = await models.Webhook.count({ where: listeningTo(streams), transaction });
  if (wanted > 0) await queue.enqueue("webhook.dispatch", { pushId }, { within: transaction });
}

/**
 * Gives every webhook that wants the stream of a push its delivery, each one once. What a delivery
 * tells is decided here: it says the same however often it is sent.
 */
export async function dispatchToHooks(pushId: number, context: HookContext): Promise<void> {
  await inTransaction(context.sequelize, async (transaction) => {
    const { Push, Webhook, WebhookDelivery } = context.models;
    const push = await Push.findByPk(pushId, { transaction });
    if (!push || !isForAll(push)) return;
    if (!isOpenToAll(push.stream, context.visibility.current)) return;
    const seeing = { transaction, visibility: context.visibility.current, config: context.config };
    const event = await readPublicEvent(push, seeing);
    if (event === undefined) return;
    const lock = transaction.LOCK.KEY_SHARE;
    const streams = hookStreamsOf(push.stream);
    const where = listeningTo(streams);
    const hooks = await Webhook.findAll({
      attributes: ["id", "streams"],
      where,
      transaction,
      lock,
    });
    const common = { pushId, data: { ref: push.ref, event }, happenedAt: push.createdAt };
    await WebhookDelivery.bulkCreate(
      hooks.map(({ id: webhookId, streams: wanted }) => ({
        ...common,
        webhookId,
        // Under the narrowest name that the webhook asked for.
        stream: streams.find((name) => wanted.includes(name)) ?? push.stream,
        giveUpAt: clockAfter(deliveryMs),
      })),
      { transaction, ignoreDuplicates: true },
    );
    const orders = hooks.map(({ id: webhookId }) => ({ webhookId }));
    await context.queue.enqueueAll("webhook.send", orders, transaction);
  });
}
