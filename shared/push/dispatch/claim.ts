import { randomUUID } from "node:crypto";

import type { PushDelivery } from "../../../models/push/push-delivery.ts";
import type { PushDevice } from "../../../models/push/push-device.ts";
import type { Push } from "../../../models/push/push.ts";
import { rolesOfStreams } from "../../facts/streams.ts";
import { retryWrite } from "../../platform/db/persist.ts";
import { executeStatement, type Database, rows } from "../../platform/db/rows.ts";

/** A delivery that only this process sends now. */
export interface ClaimedDelivery
  extends
    Pick<PushDelivery, "pushId" | "deviceId" | "attempts">,
    Pick<PushDevice, "endpoint" | "p256dh" | "auth">,
    Pick<Push, "stream" | "ref"> {
  /** Milliseconds until the push expires. */
  readonly leftMs: number;
}

/**
 * Claims due deliveries, so that no other process sends them. A delivery is only marked as done if its push has
 * expired, or if its user is disabled, has no subscription or may no longer see the stream.
 */
const statement = `
  with due as (
    select push_id, device_id from push_deliveries
    where origin = $1 and state = 'waiting' and next_at <= clock_timestamp()
    order by next_at limit $2
    for update skip locked
  ), judged as (
    select due.push_id, due.device_id, push.stream, push.ref, endpoint, p256dh, auth,
      extract(epoch from push.expires_at - clock_timestamp()) * 1000 as left_ms,
      push.expires_at > clock_timestamp() and users.disabled_at is null
        and coalesce(jsonb_exists($4::jsonb -> push.stream, users.role), true)
        and exists (select from push_subscriptions wanted
          where wanted.user_id = device.user_id and wanted.stream = push.stream) as is_wanted
    from due
    join pushes push on push.id = due.push_id
    join push_devices device on device.id = due.device_id
    join users on users.id = device.user_id
  ), begun as (
    update push_deliveries delivery
    set state = case when is_wanted then 'trying' else 'done' end, attempts = attempts + 1,
      claim = $3
    from judged
    where delivery.push_id = judged.push_id and delivery.device_id = judged.device_id
    returning delivery.push_id, delivery.device_id, delivery.attempts, judged.stream, judged.ref,
      endpoint, p256dh, auth, left_ms, is_wanted
  )
  select push_id as "pushId", device_id as "deviceId", attempts, stream, ref, endpoint, p256dh,
    auth, left_ms::float8 as "leftMs", is_wanted as "isWanted"
  from begun`;

interface ClaimResult {
  readonly claimed: readonly ClaimedDelivery[];
  /** Devices whose message has expired after a failed attempt. */
  readonly tooLate: readonly number[];
}

/** @returns null if nothing was due */
export async function claimDeliveries(
  origin: string,
  count: number,
  database: Database,
): Promise<ClaimResult | null> {
  const claim = randomUUID();
  try {
    const begun = await rows<ClaimedDelivery & { readonly isWanted: boolean }>(
      database,
      statement,
      [origin, count, claim, JSON.stringify(rolesOfStreams)],
    );
    if (begun.length === 0) return null;
    const claimed = begun.filter(({ isWanted }) => isWanted);
    // The claim raised `attempts` of expired messages too, although they are not sent.
    const late = begun.filter(({ leftMs, attempts }) => leftMs <= 0 && attempts > 1);
    return { claimed, tooLate: late.map(({ deviceId }) => deviceId) };
  } catch (error) {
    // The claim may be committed although its answer was lost. Nothing was sent, so release the deliveries.
    await retryWrite(() => executeStatement(database, release, [claim]));
    throw error;
  }
}

const release = `
  update push_deliveries set state = 'waiting', attempts = attempts - 1
  where claim = $1 and state = 'trying'`;
