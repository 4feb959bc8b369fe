import type { SurvivalWipe } from "../../../models/survival/survival-wipe.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import type { FrameHandlerContext, FrameHandlers, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { recordSightings } from "../players/sightings.ts";
import { requestSync } from "../sync/request-sync.ts";
import {
  bindPlacementsToWorldSql,
  countKillSql,
  selectKillKeySql,
  selectWorldSql,
  recordNpcHelloSql,
  upsertPlacementStatesSql,
} from "./npcs.sql.ts";

type Death = SurvivalPayload<"survival.npc.died">;

export const killHandlers: FrameHandlers = { "survival.npc.died": countKill };

/** Counts a kill of an NPC for its killer. Deaths without a killer are not counted. */
async function countKill(
  { payload: { killer, profile }, saveId, t }: ReceivedFrame<Death>,
  ground: FrameHandlerContext,
): Promise<void> {
  if (!killer) return;
  const { serverId, connection, context, room } = ground;
  const { steamId } = killer;
  await recordSightings([killer], ground);
  const world = await firstRow<Pick<SurvivalWipe, "id">>(connection, selectWorldSql, [
    serverId,
    saveId,
  ]);
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
    sql: selectKillKeySql,
    values,
  });
  if (fitting.length > 0) await executeStatement(connection, countKillSql, [...values, t]);
}

export const placementHandlers: FrameHandlers = {
  "npc.placements": async ({ payload, bootId }, { serverId, connection }) => {
    const placements = JSON.stringify(payload.placements);
    await executeStatement(connection, upsertPlacementStatesSql, [serverId, placements, bootId]);
  },
  // Record the hello, because the game may have lost the data that was sent before it.
  "server.hello": async ({ payload }, { serverId, connection }) => {
    await executeStatement(connection, bindPlacementsToWorldSql, [
      serverId,
      payload.world.saveCreatedAt,
    ]);
    await executeStatement(connection, recordNpcHelloSql, [serverId]);
  },
  // NPCs can be placed only after the world exists.
  "world.ready": async (_taken, { serverId, connection, context }) => {
    const ask = { names: ["npcs"], serverIds: [serverId], reason: "world.ready" } as const;
    await requestSync(ask, context, connection);
  },
};
