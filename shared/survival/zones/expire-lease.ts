import { type Database, rows } from "../../platform/db/rows.ts";

interface GameEnd {
  readonly serverId: number;
  /** As the game names it, which may be anything. */
  readonly leaseId: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Ends a lease whose zone the game has ended by itself. Of another server's it says nothing. */
export async function expireLease(
  { serverId, leaseId, reason, at }: GameEnd,
  database: Database,
): Promise<void> {
  await rows(database, statement, [leaseId, serverId, reason, at]);
}

const statement = `
  update survival_zone_leases
  set state = 'expired', reason = $3, ended_at = to_timestamp($4::float8 / 1000.0)
  where lease_id::text = $1 and server_id = $2 and state in ('opening', 'open', 'closing')`;
