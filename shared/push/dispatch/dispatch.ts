import type { Transaction } from "sequelize";

import type { Push } from "../../../models/push/push.ts";
import { clockNow } from "../../../models/queries/clock.ts";
import { rolesOfStreams, isPushStream, type PushStream, streamOf } from "../../facts/streams.ts";
import { isUserInAudienceSql, type Rung, isInAudience } from "../../platform/access/roles.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { isFilteredByPlace } from "../../shard/market/filters.ts";
import type { PushContext } from "../context.ts";
import { isPushEnabled } from "../relay/vapid.ts";

/** Devices per transaction. */
const batchSize = 500;

/** Runs in the transaction that ends the dispatch of a push. */
export type DispatchCallback = (
  push: Push,
  transaction: Transaction,
  context: PushContext,
) => Promise<void>;

interface DispatchOptions {
  readonly context: PushContext;
  readonly signal: AbortSignal;
  readonly after: DispatchCallback;
}

/** Creates a delivery for each device of each recipient. A retry continues where the failed attempt ended. */
export async function dispatchPush(
  pushId: number,
  { context, signal, after }: DispatchOptions,
): Promise<void> {
  while (!(await dispatchBatch(pushId, after, context))) signal.throwIfAborted();
}

/** @returns true if no device is left */
function dispatchBatch(
  pushId: number,
  after: DispatchCallback,
  context: PushContext,
): Promise<boolean> {
  return inTransaction(context.sequelize, async (transaction) => {
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const push = await context.models.Push.findByPk(pushId, { transaction, lock });
    if (!push || push.dispatchedAt) return true;
    const audience = await audienceOf(push, transaction, context);
    const batch = audience ? await deliverTo(audience, push, transaction) : emptyBatch;
    for (const origin of batch.origins ?? []) {
      await context.queue.enqueue("push.send", { origin }, { within: transaction });
    }
    const isLast = batch.count < batchSize;
    if (isLast) await after(push, transaction, context);
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
  /** The highest device id of the batch. */
  readonly last: number | null;
  readonly origins: readonly string[] | null;
}

const emptyBatch: Batch = { count: 0, last: null, origins: null };

/** A device that fails for longer than this gets no more deliveries. */
const failingDays = 7;

/**
 * Selects the next devices that subscribe to the stream and may see the push. If two streams announce the same
 * event, the device gets one message: that of the user's personal stream, otherwise that of the first stream.
 */
const statement = `
  with concerned as (
    select own.user_id from pushes own
    join push_subscriptions wanted on wanted.user_id = own.user_id and wanted.stream = own.stream
    where own.shard_event_id = $7 and own.id <> $1 and own.dispatched_at is null
      and $4::integer is null
  ), chosen as (
    select device.id, device.origin, device.held_until
    from push_devices device
    join users on users.id = device.user_id and users.disabled_at is null
    join push_subscriptions wanted on wanted.user_id = device.user_id and wanted.stream = $2
      and coalesce(jsonb_exists($6::jsonb -> wanted.stream, users.role), true)
    where device.id > $3 and ($4::integer is null or device.user_id = $4)
      and device.user_id not in (select user_id from concerned)
      and coalesce(device.failing_since > clock_timestamp() - interval '${failingDays} days', true)
      and ${isUserInAudienceSql("$5::text")}
    order by device.id limit ${batchSize}
    for key share of device
  ), delivered as (
    insert into push_deliveries (push_id, device_id, shard_event_id, origin, next_at)
    select $1, id, $7, origin, greatest(clock_timestamp(), held_until) from chosen
    on conflict do nothing
  )
  select count(*) as count, max(id) as last, array_agg(distinct origin) as origins from chosen`;

async function deliverTo(
  audience: Rung,
  { id, stream, deviceCursor, userId, shardEventId }: Push,
  transaction: Transaction,
): Promise<Batch> {
  const roles = JSON.stringify(rolesOfStreams);
  const values = [id, stream, deviceCursor, userId, audience, roles, shardEventId];
  return (await firstRow<Batch>(transaction, statement, values)) ?? emptyBatch;
}

type PushSubject = Pick<Push, "stream" | "ref" | "expiresAt">;

type Visible = Pick<PushContext, "visibility">;

/** Returns the lowest audience that may get a push; null if the push must not be sent any more. */
async function audienceOf(
  push: PushSubject,
  transaction: Transaction,
  context: PushContext,
): Promise<Rung | null> {
  const { stream, expiresAt } = push;
  if (!isPushEnabled(context.config) || expiresAt <= new Date() || !isPushStream(stream)) {
    return null;
  }
  const ofStream = streamAudience(stream, context);
  const ofRef = ofStream && (await refAudience(stream, push, transaction, context));
  return ofRef && isInAudience(ofRef, ofStream) ? ofRef : ofRef && ofStream;
}

function streamAudience(stream: PushStream, { visibility }: Visible): Rung | null {
  const spec = streamOf(stream);
  if (spec.kind === "staff") return "staff";
  if (!spec.feature) return "anonymous";
  const { enabled, audience } = visibility.current[spec.feature];
  return enabled ? audience : null;
}

/** Returns the audience of the row that the push refers to; null if the row no longer exists. */
async function refAudience(
  stream: PushStream,
  { ref }: PushSubject,
  transaction: Transaction,
  { visibility }: Visible,
): Promise<Rung | null> {
  const { MarketSearch, Post } = modelsOf(transaction);
  const where = { id: Number(ref) };
  if (stream === "news.post") {
    // A post can be withdrawn before its push is dispatched.
    return (await Post.scope("visible").count({ where, transaction })) > 0 ? "anonymous" : null;
  }
  if (stream !== "market.match") return "anonymous";
  const search = await MarketSearch.findOne({ where: { ...where, enabled: true }, transaction });
  if (!search) return null;
  return isFilteredByPlace(search.query)
    ? (visibility.current.market.fieldRules["location"] ?? null)
    : "anonymous";
}
