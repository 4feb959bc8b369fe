import type { Transaction } from "sequelize";

import type { PushFault } from "../../../models/push/push-device.ts";
import { executeStatement, type Database } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { faultRules, type PushOutcome } from "../relay/faults.ts";

/** The outcome of one attempt to reach a device. */
export interface DeviceOutcome {
  readonly deviceId: number;
  readonly outcome: PushOutcome;
  /** True if the message is not retried. */
  readonly isFinal: boolean;
}

/**
 * Stores the outcomes of attempts on their devices. Devices are locked by id to avoid deadlocks. The last
 * attempt decides the state of a device.
 * @param notes outcomes in the order of their messages
 * @returns the number of devices that were deleted because their relay no longer knew them
 */
export async function storeDeviceOutcomes(
  notes: readonly DeviceOutcome[],
  transaction: Transaction,
): Promise<number> {
  const summed = [...Map.groupBy(notes, ({ deviceId }) => deviceId).values()].map(combineOutcomes);
  await executeStatement(transaction, statement, [
    summed.map(({ deviceId }) => deviceId),
    summed.map(({ fault }) => fault),
    summed.map(({ succeeded }) => succeeded),
    summed.map(({ fails }) => fails),
    summed.map(({ holdMs }) => holdMs),
  ]);
  const held = summed.filter(({ holdMs }) => holdMs !== null);
  if (held.length > 0) await holdDeliveries(held, transaction);
  const id = summed.filter(({ gone }) => gone).map(({ deviceId }) => deviceId);
  if (id.length === 0) return 0;
  return modelsOf(transaction).PushDevice.destroy({ where: { id }, transaction });
}

/** The combined outcome of several attempts to reach a device. */
interface CombinedOutcome {
  readonly deviceId: number;
  /** The fault of the last attempt. */
  readonly fault: PushFault | null;
  readonly succeeded: boolean;
  /** True if a message failed for good after the last successful attempt. */
  readonly fails: boolean;
  /** The longest delay that the relay asked for. */
  readonly holdMs: number | null;
  readonly gone: boolean;
}

const combineOutcomes = (notes: readonly DeviceOutcome[]): CombinedOutcome =>
  notes.reduce<CombinedOutcome>(
    ({ fails, succeeded, holdMs, gone }, { deviceId, outcome, isFinal }) => {
      const { fault } = outcome;
      const holds = [holdMs, outcome.holdMs].filter((ms) => ms !== null);
      return {
        deviceId,
        fault,
        succeeded: succeeded || fault === null,
        fails: fault !== null && (fails || (isFinal && faultRules[fault].fails)),
        holdMs: holds.length === 0 ? null : Math.max(...holds),
        gone: gone || fault === "gone",
      };
    },
    { deviceId: 0, fault: null, succeeded: false, fails: false, holdMs: null, gone: false },
  );

const statement = `
  with locked as (
    select id from push_devices where id = any($1::integer[]) order by id for no key update
  )
  update push_devices device set
    last_success_at = case when succeeded then clock_timestamp() else last_success_at end,
    last_error = fault,
    failing_since = case
      when fails and not succeeded then coalesce(failing_since, clock_timestamp())
      when fails then clock_timestamp()
      when succeeded then null
      else failing_since end,
    held_until = case when hold_ms is null then held_until
      else clock_timestamp() + make_interval(secs => hold_ms / 1000) end
  from locked
  join unnest($1::integer[], $2::text[], $3::boolean[], $4::boolean[], $5::float8[])
    as noted (device_id, fault, succeeded, fails, hold_ms) on device_id = locked.id
  where device.id = locked.id`;

/** Delays the other waiting deliveries of a device for as long as its relay asks. */
async function holdDeliveries(
  held: readonly Pick<CombinedOutcome, "deviceId" | "holdMs">[],
  transaction: Transaction,
): Promise<void> {
  await executeStatement(
    transaction,
    `update push_deliveries delivery
     set next_at = greatest(next_at, clock_timestamp() + make_interval(secs => hold_ms / 1000))
     from unnest($1::integer[], $2::float8[]) as held (device_id, hold_ms)
     where delivery.device_id = held.device_id and state = 'waiting'`,
    [held.map(({ deviceId }) => deviceId), held.map(({ holdMs }) => holdMs)],
  );
}

/** Marks devices as failing if their message expired before an attempt succeeded. */
export const markDevicesFailing = (
  deviceIds: readonly number[],
  database: Database,
): Promise<number> => executeStatement(database, tooLate, [deviceIds]);

const tooLate = `
  with locked as (
    select id from push_devices where id = any($1::integer[]) and last_error is not null
    order by id for no key update
  )
  update push_devices device set failing_since = coalesce(failing_since, clock_timestamp())
  from locked where device.id = locked.id`;
