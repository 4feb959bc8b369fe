import type { Transaction } from "sequelize";

import type { PushFault } from "../../../models/push/push-device.ts";
import { countChanged, type Database } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { faultRules, type Outcome } from "../relay/faults.ts";

/** What came of a try, for the device it was for. */
export interface DeviceNote {
  readonly deviceId: number;
  readonly outcome: Outcome;
  /** The message is not tried again. */
  readonly isFinal: boolean;
}

/**
 * Shows the owners of devices what came of tries to reach them, as it came: of several tries of one
 * device the last one says how it is reached. A device that is gone is removed. Rows are locked in
 * their order, so that two who note something of the same devices take turns.
 * @param notes in the order in which their messages were announced
 * @returns how many were removed
 */
export async function noteOnDevices(
  notes: readonly DeviceNote[],
  transaction: Transaction,
): Promise<number> {
  const summed = [...Map.groupBy(notes, ({ deviceId }) => deviceId).values()].map(sumUp);
  await countChanged(transaction, statement, [
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

/** What several tries of one device come to. */
interface Summed {
  readonly deviceId: number;
  /** Of the last try. */
  readonly fault: PushFault | null;
  readonly succeeded: boolean;
  /** It fails since a try that came after all that succeeded. */
  readonly fails: boolean;
  /** The longest that was asked for. */
  readonly holdMs: number | null;
  readonly gone: boolean;
}

const sumUp = (notes: readonly DeviceNote[]): Summed =>
  notes.reduce<Summed>(
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

/** What else waits for a device waits for as long as its relay asks for. */
async function holdDeliveries(
  held: readonly Pick<Summed, "deviceId" | "holdMs">[],
  transaction: Transaction,
): Promise<void> {
  await countChanged(
    transaction,
    `update push_deliveries delivery
     set next_at = greatest(next_at, clock_timestamp() + make_interval(secs => hold_ms / 1000))
     from unnest($1::integer[], $2::float8[]) as held (device_id, hold_ms)
     where delivery.device_id = held.device_id and state = 'waiting'`,
    [held.map(({ deviceId }) => deviceId), held.map(({ holdMs }) => holdMs)],
  );
}

/** Has devices count as failing that no try has reached, and for which there was no time for another. */
export const noteTooLate = (deviceIds: readonly number[], database: Database): Promise<number> =>
  countChanged(database, tooLate, [deviceIds]);

const tooLate = `
  with locked as (
    select id from push_devices where id = any($1::integer[]) and last_error is not null
    order by id for no key update
  )
  update push_devices device set failing_since = coalesce(failing_since, clock_timestamp())
  from locked where device.id = locked.id`;
