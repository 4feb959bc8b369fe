import type { SurvivalWipe } from "../../../models/survival/survival-wipe.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
import type { HandlerContext, Handlers, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { recordSightings } from "../players/sightings.ts";
import { requestSync } from "../sync/request-sync.ts";

type Death = SurvivalPayload<"survival.npc.died">;

export const killHandlers: Handlers = { "survival.npc.died": countKill };

/** Counts a kill of an NPC for its killer. Deaths without a killer are not counted. */
async function countKill(
  { payload: { killer, profile }, saveId, t }: ReceivedFrame<Death>,
  ground: HandlerContext,
): Promise<void> {
  if (!killer) return;
  const { serverId, connection, context, room } = ground;
  const { steamId } = killer;
  await recordSightings([killer], ground);
  const world = await firstRow<Pick<SurvivalWipe, "id">>(connection, findWorld, [serverId, saveId]);
  if (!world) {
    context.log.warn(
      { serverId, saveId },
      "the site dropped an NPC kill: it does not know the world",
    );
    return;
  }
  const values = [world.id, profile, steamId];
  const fitting = await room.selectFitting("npcKills", [steamId], {
    keyOf: (key) => key,
    sql: storedKill,
    values,
  });
  if (fitting.length > 0) await countChanged(connection, count, [...values, t]);
}

/** A frame that names no world belongs to the current world. */
const findWorld = `
  select id from survival_wipes
  where server_id = $1 and save_id = coalesce($2::bigint,
    (select save_id from survival_server_states where server_id = $1))`;

const storedKill = `
  select steam_id as key from survival_npc_kills
  where wipe_id = $1 and profile_key = $2 and steam_id = $3`;

const count = `
  insert into survival_npc_kills (wipe_id, profile_key, steam_id, kills, last_at)
  values ($1, $2, $3, 1, to_timestamp($4::bigint / 1000.0))
  on conflict (wipe_id, profile_key, steam_id) do update
  set kills = survival_npc_kills.kills + 1,
    last_at = greatest(survival_npc_kills.last_at, excluded.last_at)`;

export const placementHandlers: Handlers = {
  "npc.placements": async ({ payload, bootId }, { serverId, connection }) => {
    const placements = JSON.stringify(payload.placements);
    await countChanged(connection, storePlacementStates, [serverId, placements, bootId]);
  },
  // The game may have lost the data that was sent before its hello.
  "server.hello": async ({ payload }, { serverId, connection }) => {
    await countChanged(connection, bindToWorld, [serverId, payload.world.saveCreatedAt]);
    await countChanged(connection, storeHello, [serverId]);
  },
  // NPCs can be placed only after the world exists.
  "world.ready": async (_taken, { serverId, connection, context }) => {
    const ask = { names: ["npcs"], serverIds: [serverId], reason: "world.ready" } as const;
    await requestSync(ask, context, connection);
  },
};

const storePlacementStates = `
  insert into survival_npc_servers (server_id, placements, boot_id) values ($1, $2, $3)
  on conflict (server_id) do update
  set placements = excluded.placements, boot_id = excluded.boot_id`;

const storeHello = `
  insert into survival_npc_servers (server_id) values ($1)
  on conflict (server_id) do update set said_hello_at = excluded.said_hello_at`;

/** Placements that were created before any world was known belong to the first world. */
const bindToWorld = `
  update survival_npc_placements set save_id = $2::bigint where server_id = $1 and save_id is null`;
