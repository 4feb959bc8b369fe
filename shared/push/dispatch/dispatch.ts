import type { Transaction } from "sequelize";

import { clockNow } from "../../../models/clock.ts";
import type { Push } from "../../../models/push/push.ts";
import type { Rung } from "../../auth/caller/roles.ts";
import type { Context } from "../../context.ts";
import { firstRow } from "../../db/rows.ts";
import { inTransaction } from "../../db/transaction.ts";
import { orderHookDispatch } from "../../webhooks/dispatch/dispatch-to-hooks.ts";
import { rolesOfStreams } from "../catalogue/streams.ts";
import { audienceOf } from "./audience.ts";

/** Devices that get their deliveries in one transaction. */
const batchSize = 500;

/**
 * Gives everybody whom a push is for a delivery to each of their devices. It goes on where an
 * earlier attempt ended.
 */
export async function dispatchPush(
  pushId: number,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  while (!(await dispatchBatch(pushId, context))) signal.throwIfAborted();
}

/** @returns whether nobody is left */
function dispatchBatch(pushId: number, context: Context): Promise<boolean> {
  return inTransaction(context.sequelize, async (transaction) => {
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const push = await context.models.Push.findByPk(pushId, { transaction, lock });
    if (!push || push.dispatchedAt) return true;
    const audience = await audienceOf(push, transaction, context);
    const batch = audience ? await deliverTo(audience, push, transaction) : nobody;
    for (const origin of batch.origins ?? []) {
      await context.queue.enqueue("push.send", { origin }, { within: transaction });
    }
    const isLast = batch.count < batchSize;
    if (isLast) await orderHookDispatch(push, transaction, context);
    await push.update(
      {
        deviceCursor: batch.last ?? push.deviceCursor,
        ...(isLast && { dispatchedAt: clockNow() }),
      },
      { transaction },
    );
    return isLast;
  });
}

interface Batch {
  readonly count: number;
  /** The last device. */
  readonly last: number | null;
  /** Their relays. */
  readonly origins: readonly string[] | null;
}

const nobody: Batch = { count: 0, last: null, origins: null };

/** After so long without reaching it, a device is sent nothing any more. */
const failingDays = 7;

/** The next devices of those who want the stream and reach its audience. */
const statement = `
  with chosen as (
    select device.id, device.origin, device.held_until
    from push_devices device
    join users on users.id = device.user_id and users.disabled_at is null
    join push_subscriptions wanted on wanted.user_id = device.user_id and wanted.stream = $2
      and coalesce(jsonb_exists($6::jsonb -> wanted.stream, users.role), true)
    where device.id > $3 and ($4::integer is null or device.user_id = $4)
      and coalesce(device.failing_since > clock_timestamp() - interval '${failingDays} days', true)
      and ($5 in ('anonymous', 'logged_in') or users.role = 'admin'
        or ($5 in ('player', 'staff') and users.role <> 'player')
        or ($5 = 'player' and exists (select from shard_links where user_id = users.id)))
    order by device.id limit ${batchSize}
    for key share of device
  ), delivered as (
    insert into push_deliveries (push_id, device_id, origin, next_at)
    select $1, id, origin, greatest(clock_timestamp(), held_until) from chosen
    on conflict do nothing
  )
  select count(*) as count, max(id) as last, array_agg(distinct origin) as origins from chosen`;

async function deliverTo(
  audience: Rung,
  { id, stream, deviceCursor, userId }: Push,
  transaction: Transaction,
): Promise<Batch> {
  const roles = JSON.stringify(rolesOfStreams);
  const values = [id, stream, deviceCursor, userId, audience, roles];
  return (await firstRow<Batch>(transaction, statement, values)) ?? nobody;
}
