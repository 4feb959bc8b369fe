import { countChanged, firstRow } from "../../db/rows.ts";
import type { Handlers } from "../frames/handler.ts";

export const mapHandlers: Handlers = {
  "map.live": async (taken, { live, fence }) => live.take(taken, fence),
  "map.info": async ({ payload }, { serverId, connection, context }) => {
    const { saveId, imageHash: hash = null } = payload;
    await countChanged(connection, keep, [serverId, JSON.stringify(payload), saveId]);
    if (hash === null) return;
    const world = await firstRow<World>(connection, showStored, [serverId, saveId, hash]);
    if (!world || world.mapHash === hash) return;
    const key = `${serverId} ${hash}`;
    await context.queue.enqueue(
      "survival.fetch-map",
      { serverId, hash },
      { key, within: connection },
    );
  },
};

interface World {
  readonly mapHash: string | null;
}

/** What is told late of a world that stands no more says nothing of the one that does. */
const keep = `
  insert into survival_server_states (server_id, map) values ($1, $2)
  on conflict (server_id) do update set map = excluded.map
  where survival_server_states.save_id is null or survival_server_states.save_id = $3`;

/** A picture that is held already needs no fetching, only to be shown. */
const showStored = `
  update survival_wipes wipe set map_hash = coalesce(
    (select hash from survival_map_images where server_id = $1 and hash = $3), wipe.map_hash)
  where wipe.server_id = $1 and wipe.save_id = $2
  returning wipe.map_hash as "mapHash"`;
