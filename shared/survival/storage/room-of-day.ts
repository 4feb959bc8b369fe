import type { BoundName, Bounds } from "../../platform/config/survival-bounds.ts";
import { countChanged, type Database, firstRow } from "../../platform/db/rows.ts";
import { leaveOut } from "./left-out.ts";

/** SQL of the current day in UTC, by the clock of the database. */
export const today = "(clock_timestamp() at time zone 'UTC')::date";

interface Part {
  readonly serverId: number;
  readonly name: BoundName;
}

/** Locks today's count of a part. @returns the remaining room */
export async function lockDay(
  { serverId, name }: Part,
  bounds: Bounds,
  within: Database,
): Promise<number> {
  const found = await firstRow<{ kept: number }>(within, lock, [serverId, name]);
  return Math.max(0, bounds[name] - (found?.kept ?? 0));
}

/** Adds to today's count of a part that `lockDay` has locked. */
export async function addToDay(
  { serverId, name }: Part,
  count: number,
  within: Database,
): Promise<void> {
  if (count > 0) await countChanged(within, add, [serverId, name, count]);
}

/** Takes room from today's limit, and counts the rest as left out. @returns the number that fits */
export async function takeOfDay(
  part: Part,
  wanted: number,
  bounds: Bounds,
  within: Database,
): Promise<number> {
  const taken = Math.min(wanted, await lockDay(part, bounds, within));
  await addToDay(part, taken, within);
  await leaveOut({ ...part, count: wanted - taken }, bounds, within);
  return taken;
}

const lock = `
  insert into survival_storage_days as known (server_id, part, day, kept)
  values ($1, $2, ${today}, 0)
  on conflict (server_id, part, day) do update set kept = known.kept
  returning kept::float8 as kept`;

const add = `
  update survival_storage_days set kept = kept + $3
  where server_id = $1 and part = $2 and day = (
    select max(day) from survival_storage_days where server_id = $1 and part = $2)`;
