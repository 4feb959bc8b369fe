import type { SurvivalWipe } from "../../../models/survival/survival-wipe.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import type { FrameHandlerContext, FrameHandlers } from "../kinds/handler.ts";
import { serializeStoredPayload } from "../kinds/stored-payload.ts";

export const mapHandlers: FrameHandlers = {
  "map.live": async (taken, { live, fence }) => live.take(taken, fence),
  "map.info": async ({ payload }, { serverId, connection, context }) => {
    const { saveId, imageHash: hash = null } = payload;
    await executeStatement(connection, storeMapInfo, [
      serverId,
      serializeStoredPayload("map.info", payload),
      saveId,
    ]);
    if (hash === null) return;
    const world = await firstRow<World>(connection, showStoredImage, [serverId, saveId, hash]);
    if (!world || world.mapHash === hash) return;
    await scheduleMapFetch({ serverId, hash }, connection, context);
  },
};

/**
 * Schedules a job that fetches the map image. While a job runs, one more job may wait; that job then fetches the
 * newest image.
 */
async function scheduleMapFetch(
  told: { readonly serverId: number; readonly hash: string },
  within: FrameHandlerContext["connection"],
  { queue }: FrameHandlerContext["context"],
): Promise<void> {
  const subject = String(told.serverId);
  for (const key of [subject, `${subject} next`]) {
    if (await queue.enqueue("survival.fetch-map", told, { key, subject, within })) return;
  }
}

type World = Pick<SurvivalWipe, "mapHash">;

/** Ignore late information about a former world. */
const storeMapInfo = `
  insert into survival_server_states (server_id, map) values ($1, $2)
  on conflict (server_id) do update set map = excluded.map
  where survival_server_states.save_id is null or survival_server_states.save_id = $3`;

/** A stored image need not be fetched again, so use it. */
const showStoredImage = `
  update survival_wipes wipe set map_hash = coalesce(
    (select hash from survival_map_images where server_id = $1 and hash = $3), wipe.map_hash)
  where wipe.server_id = $1 and wipe.save_id = $2
  returning wipe.map_hash as "mapHash"`;
