import type { StorageBoundName, StorageBounds } from "../../platform/config/survival-bounds.ts";
import { executeStatement, type Database, firstRow } from "../../platform/db/rows.ts";
import { recordOmission } from "./omissions.ts";

/** SQL of the current day in UTC, by the clock of the database. */
export const todaySql = "(clock_timestamp() at time zone 'UTC')::date";

interface DailyQuota {
  readonly serverId: number;
  readonly name: StorageBoundName;
}

/** Locks today's count of one kind of rows. @returns how many more fit */
export async function lockDailyQuota(
  { serverId, name }: DailyQuota,
  bounds: StorageBounds,
  within: Database,
): Promise<number> {
  const found = await firstRow<{ kept: number }>(within, lock, [serverId, name]);
  return Math.max(0, bounds[name] - (found?.kept ?? 0));
}

/** Adds to today's count, which `lockDailyQuota` has locked. */
export async function addToDailyQuota(
  { serverId, name }: DailyQuota,
  count: number,
  within: Database,
): Promise<void> {
  if (count > 0) await executeStatement(within, add, [serverId, name, count]);
}

/** Counts rows up to today's limit, and counts the other rows as omitted. @returns the number that fits */
export async function takeDailyQuota(
  part: DailyQuota,
  wanted: number,
  bounds: StorageBounds,
  within: Database,
): Promise<number> {
  const taken = Math.min(wanted, await lockDailyQuota(part, bounds, within));
  await addToDailyQuota(part, taken, within);
  await recordOmission({ ...part, count: wanted - taken }, bounds, within);
  return taken;
}

const lock = `
  insert into survival_storage_days as known (server_id, part, day, kept)
  values ($1, $2, ${todaySql}, 0)
  on conflict (server_id, part, day) do update set kept = known.kept
  returning kept::float8 as kept`;

const add = `
  update survival_storage_days set kept = kept + $3
  where server_id = $1 and part = $2 and day = (
    select max(day) from survival_storage_days where server_id = $1 and part = $2)`;
