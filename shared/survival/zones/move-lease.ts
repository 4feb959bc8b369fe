import type { LedgerState } from "../../../models/survival/survival-ledger-entry.ts";
import type { ZoneLeaseState } from "../../../models/survival/survival-zone-lease.ts";
import { type Database, rows } from "../../platform/db/rows.ts";

interface Move {
  readonly from: readonly ZoneLeaseState[];
  readonly to: ZoneLeaseState;
  /** How its entry of the ledger stands then; it stays as it is where this is left out. */
  readonly ledger?: LedgerState;
  readonly reason?: string;
  /** When it ended, in epoch milliseconds; now where this is left out. */
  readonly at?: number;
}

/**
 * Moves a lease and its entry of the ledger together.
 * @returns whether it was in one of the states that it may be moved from
 */
export async function moveLease(leaseId: string, move: Move, database: Database): Promise<boolean> {
  const { from, to, ledger = null, reason = null, at = null } = move;
  const values = [leaseId, [...from], to, ledger, reason, at];
  return (await rows(database, statement, values)).length > 0;
}

const statement = `
  with moved as (
    update survival_zone_leases
    set state = $3::text, reason = coalesce($5::text, reason),
      ended_at = case when $3::text in ('closed', 'expired', 'failed')
        then coalesce(to_timestamp($6::float8 / 1000.0), clock_timestamp()) end
    where lease_id = $1::uuid and state = any($2::text[])
    returning lease_id, server_id, ended_at, reason
  ), noted as (
    update survival_ledger entry
    set state = $4::text, reason = coalesce(moved.reason, entry.reason),
      confirmed_at = case when $4::text = 'confirmed' then clock_timestamp() else entry.confirmed_at end,
      ended_at = moved.ended_at
    from moved
    where $4::text is not null and entry.server_id = moved.server_id and entry.what = 'zone'
      and entry.ref = moved.lease_id::text and entry.state in ('pushed', 'confirmed')
  )
  select lease_id from moved`;
