import type { BoundName, Bounds } from "../../platform/config/survival-bounds.ts";
import { countChanged, type Database, firstRow } from "../../platform/db/rows.ts";
import { leaveOut } from "./left-out.ts";

/** The day of UTC by the database's clock, as SQL. */
export const today = "(clock_timestamp() at time zone 'UTC')::date";

interface Part {
  readonly serverId: number;
  readonly name: BoundName;
}

/**
 * Locks what is counted of a server's part today.
 * @returns how much there is room for
 */
export async function lockDay(
  { serverId, name }: Part,
  bounds: Bounds,
  within: Database,
): Promise<number> {
  const found = await firstRow<{ kept: number }>(within, lock, [serverId, name]);
  return Math.max(0, bounds[name] - (found?.kept ?? 0));
}

/** Counts what was stored today of a part that `lockDay` has locked. */
export async function addToDay(
  { serverId, name }: Part,
  count: number,
  within: Database,
): Promise<void> {
  if (count > 0) await countChanged(within, add, [serverId, name, count]);
}

/**
 * Takes room of today, and counts what does not fit as left out.
 * @returns how many of those that are wanted fit
 */
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
