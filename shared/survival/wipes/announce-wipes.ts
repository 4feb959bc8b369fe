import type { SurvivalWipe } from "../../../models/survival/survival-wipe.ts";
import { type Database, rows } from "../../platform/db/rows.ts";
import type { SurvivalNotification } from "../kinds/notification.ts";

interface NewWorld extends Pick<
  SurvivalWipe,
  "serverId" | "saveId" | "kind" | "forced" | "worldSize" | "seed"
> {
  readonly wipeId: number;
}

interface AnnounceOptions {
  readonly serverIds: readonly number[];
  /** Time of the wipe event, in epoch milliseconds. If absent, the world's creation time is used. */
  readonly at?: number;
  /** Seconds to wait for the wipe event after a hello with a new world. */
  readonly waitedSeconds?: number;
}

/** Sends a notice of each new world once: at the wipe event, or after a delay if the wipe event was lost. */
export async function announceWipes(
  { serverIds, at, waitedSeconds = 0 }: AnnounceOptions,
  {
    connection,
    tell,
  }: { readonly connection: Database; readonly tell: (notice: SurvivalNotification) => void },
): Promise<void> {
  const found = await rows<NewWorld>(connection, takeUnannounced, [serverIds, waitedSeconds]);
  for (const { serverId, saveId, wipeId, kind, forced, worldSize, seed } of found) {
    tell({
      id: "survival.server.wiped",
      serverId,
      key: `wipe:${saveId}`,
      t: at ?? saveId,
      variables: { wipeId, kind, forced, worldSize, seed },
    });
  }
}

/** Finds the servers with worlds for which `announceWipes` has sent no notice. */
export async function findUnannouncedWipes(
  { serverIds, waitedSeconds = 0 }: AnnounceOptions,
  database: Database,
): Promise<number[]> {
  const found = await rows<Pick<NewWorld, "serverId">>(
    database,
    `select server_id as "serverId" from survival_server_states where ${isUnannouncedSql}`,
    [serverIds, waitedSeconds],
  );
  return found.map(({ serverId }) => serverId);
}

const isUnannouncedSql = `server_id = any($1::integer[])
  and untold_since <= clock_timestamp() - make_interval(secs => $2)`;

const takeUnannounced = `
  with taken as (
    select server_id, untold_save_id from survival_server_states
    where ${isUnannouncedSql}
    for update skip locked
  ), told as (
    update survival_server_states state set untold_save_id = null, untold_since = null
    from taken where state.server_id = taken.server_id
  )
  select wipe.server_id as "serverId", wipe.save_id::float8 as "saveId", wipe.id as "wipeId",
    wipe.kind, wipe.forced, wipe.world_size as "worldSize", wipe.seed
  from taken
  join survival_wipes wipe on wipe.server_id = taken.server_id
    and wipe.save_id = taken.untold_save_id`;
