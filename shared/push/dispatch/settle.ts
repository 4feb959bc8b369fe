import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { computeDoubledMs } from "../../platform/time/backoff.ts";
import type { PushContext } from "../context.ts";
import { storeDeviceOutcomes } from "../devices/store-outcomes.ts";
import { faultRules, type PushOutcome } from "../relay/faults.ts";
import type { ClaimedDelivery } from "./claim.ts";

export const maxAttempts = 5;

export interface DeliveryAttempt {
  readonly claimed: ClaimedDelivery;
  readonly outcome: PushOutcome;
}

interface SettledAttempt extends DeliveryAttempt {
  /** Milliseconds until the retry; null if the delivery is finished. */
  readonly retryMs: number | null;
}

/** Stores outcomes and schedules retries. Locks devices first, as removing a device does, to avoid a deadlock. */
export async function storePushOutcomes(
  tries: readonly DeliveryAttempt[],
  context: PushContext,
): Promise<void> {
  if (tries.every(({ outcome }) => outcome.fault === null)) return storeSuccesses(tries, context);
  const settled = tries
    .toSorted(({ claimed: one }, { claimed: other }) => one.pushId - other.pushId)
    .map((one) => ({ ...one, retryMs: retryDelayOf(one, context) }));
  const removed = await inTransaction(context.sequelize, async (transaction) => {
    const gone = await storeDeviceOutcomes(settled.map(toDeviceOutcome), transaction);
    await writeDeliveries(settled, transaction);
    return gone;
  });
  const { counts } = context.relays;
  counts.removedDevices += removed;
  counts.retried += settled.filter(({ retryMs }) => retryMs !== null).length;
}

/** Nearly all batches succeed, so they take one statement without an explicit transaction. */
async function storeSuccesses(
  tries: readonly DeliveryAttempt[],
  { sequelize }: Context,
): Promise<void> {
  await executeStatement(sequelize, successSql, [
    tries.map(({ claimed }) => claimed.pushId),
    tries.map(({ claimed }) => claimed.deviceId),
    tries.map(({ claimed }) => claimed.attempts),
  ]);
}

/** The statement counts `noted`, which makes PostgreSQL lock the devices before it updates the deliveries. */
const successSql = `
  with tried as (
    select * from unnest($1::bigint[], $2::integer[], $3::integer[])
      as tried (push_id, device_id, attempts)
  ), locked as (
    select id from push_devices where id in (select device_id from tried) order by id
    for no key update
  ), noted as (
    update push_devices device
    set last_success_at = clock_timestamp(), last_error = null, failing_since = null
    from locked where device.id = locked.id
    returning device.id
  )
  update push_deliveries delivery set state = 'done', next_at = clock_timestamp()
  from tried
  where delivery.push_id = tried.push_id and delivery.device_id = tried.device_id
    and delivery.attempts = tried.attempts and delivery.state = 'trying'
    and (select count(*) from noted) >= 0`;

/** Retries a temporary fault if the push does not expire before the retry. */
function retryDelayOf({ claimed, outcome }: DeliveryAttempt, { config }: Context): number | null {
  const { fault, holdMs } = outcome;
  if (fault === null || !faultRules[fault].passes) return null;
  const { attempts, leftMs } = claimed;
  if (attempts >= maxAttempts) return null;
  const waitMs =
    computeDoubledMs(config.PUSH_RETRY, leftMs, attempts - 1) * (1 + Math.random() / 2);
  const retryMs = Math.max(waitMs, holdMs ?? 0);
  return retryMs < leftMs ? retryMs : null;
}

const toDeviceOutcome = ({ claimed, outcome, retryMs }: SettledAttempt) => ({
  deviceId: claimed.deviceId,
  outcome,
  isFinal: retryMs === null,
});

/** Skips a delivery that another attempt has replaced meanwhile. */
async function writeDeliveries(
  settled: readonly SettledAttempt[],
  transaction: Transaction,
): Promise<void> {
  await executeStatement(
    transaction,
    `update push_deliveries delivery set
       state = case when retry_ms is null then 'done' else 'waiting' end,
       next_at = clock_timestamp() + make_interval(secs => coalesce(retry_ms, 0) / 1000)
     from unnest($1::bigint[], $2::integer[], $3::integer[], $4::float8[])
       as tried (push_id, device_id, attempts, retry_ms)
     where delivery.push_id = tried.push_id and delivery.device_id = tried.device_id
       and delivery.attempts = tried.attempts and delivery.state = 'trying'`,
    [
      settled.map(({ claimed }) => claimed.pushId),
      settled.map(({ claimed }) => claimed.deviceId),
      settled.map(({ claimed }) => claimed.attempts),
      settled.map(({ retryMs }) => retryMs),
    ],
  );
}
