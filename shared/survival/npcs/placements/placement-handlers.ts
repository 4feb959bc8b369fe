import { countChanged } from "../../../platform/db/rows.ts";
import type { Handlers } from "../../kinds/handler.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";

export const placementHandlers: Handlers = {
  "npc.placements": async ({ payload, bootId }, { serverId, connection }) => {
    const placements = JSON.stringify(payload.placements);
    await countChanged(connection, storeLives, [serverId, placements, bootId]);
  },
  // Whoever says hello may have lost what was pushed before.
  "server.hello": async ({ payload }, { serverId, connection }) => {
    await countChanged(connection, bindToWorld, [serverId, payload.world.saveCreatedAt]);
    await countChanged(connection, storeHello, [serverId]);
  },
  // NPCs cannot be put into a world that is not made yet.
  "world.ready": async (_taken, { serverId, connection, context }) => {
    const ask = { names: ["npcs"], serverIds: [serverId], reason: "world.ready" } as const;
    await askForPush(ask, context, connection);
  },
};

const storeLives = `
  insert into survival_npc_servers (server_id, placements, boot_id) values ($1, $2, $3)
  on conflict (server_id) do update
  set placements = excluded.placements, boot_id = excluded.boot_id`;

const storeHello = `
  insert into survival_npc_servers (server_id) values ($1)
  on conflict (server_id) do update set said_hello_at = excluded.said_hello_at`;

/** Placements that were set up before any world was known are of the first. */
const bindToWorld = `
  update survival_npc_placements set save_id = $2::bigint where server_id = $1 and save_id is null`;
