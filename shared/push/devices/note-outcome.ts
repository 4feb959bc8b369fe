import type { Transaction } from "sequelize";

import { countChanged } from "../../db/rows.ts";
import { modelsOf } from "../../db/transaction.ts";
import { faultRules, type Outcome } from "../relay/faults.ts";

/** What came of a try, for the device it was for. */
export interface DeviceNote {
  readonly deviceId: number;
  readonly outcome: Outcome;
  /** The message is not tried again. */
  readonly isFinal: boolean;
}

/**
 * Shows the owners of devices what came of tries to reach them. A device that is gone is removed.
 * Rows are locked in their order, so that two who note something of the same devices take turns.
 * @returns how many were removed
 */
export async function noteOnDevices(
  notes: readonly DeviceNote[],
  transaction: Transaction,
): Promise<number> {
  await countChanged(transaction, statement, [
    notes.map(({ deviceId }) => deviceId),
    notes.map(({ outcome }) => outcome.fault),
    notes.map(
      ({ outcome: { fault }, isFinal }) => fault !== null && isFinal && faultRules[fault].fails,
    ),
    notes.map(({ outcome }) => outcome.holdMs),
  ]);
  const held = notes.filter(({ outcome }) => outcome.holdMs !== null);
  if (held.length > 0) await holdDeliveries(held, transaction);
  const gone = notes.filter(({ outcome }) => outcome.fault === "gone");
  const id = gone.map(({ deviceId }) => deviceId);
  if (id.length === 0) return 0;
  return modelsOf(transaction).PushDevice.destroy({ where: { id }, transaction });
}

const statement = `
  with locked as (
    select id from push_devices where id = any($1::integer[]) order by id for no key update
  )
  update push_devices device set
    last_success_at = case when fault is null then clock_timestamp() else last_success_at end,
    last_error = fault,
    failing_since = case
      when fault is null then null
      when fails then coalesce(failing_since, clock_timestamp())
      else failing_since end,
    held_until = case when hold_ms is null then held_until
      else clock_timestamp() + make_interval(secs => hold_ms / 1000) end
  from locked
  join unnest($1::integer[], $2::text[], $3::boolean[], $4::float8[])
    as noted (device_id, fault, fails, hold_ms) on device_id = locked.id
  where device.id = locked.id`;

/** What else waits for a device waits for as long as its relay asks for. */
async function holdDeliveries(
  held: readonly DeviceNote[],
  transaction: Transaction,
): Promise<void> {
  await countChanged(
    transaction,
    `update push_deliveries delivery
     set next_at = greatest(next_at, clock_timestamp() + make_interval(secs => hold_ms / 1000))
     from unnest($1::integer[], $2::float8[]) as held (device_id, hold_ms)
     where delivery.device_id = held.device_id and state = 'waiting'`,
    [held.map(({ deviceId }) => deviceId), held.map(({ outcome }) => outcome.holdMs)],
  );
}
