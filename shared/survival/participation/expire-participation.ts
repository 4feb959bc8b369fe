import { countChanged, type Database } from "../../platform/db/rows.ts";

/** Ends what the game counts no longer: nobody joins it any more, and whoever did can be collected. */
export async function expireParticipation(
  serverId: number,
  ref: string,
  database: Database,
): Promise<void> {
  await countChanged(
    database,
    `update survival_participations set state = 'expired', closed_at = clock_timestamp()
     where id::text = $1 and server_id = $2 and state in ('opening', 'open')`,
    [ref, serverId],
  );
}
