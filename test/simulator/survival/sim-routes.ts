import type { IncomingMessage, ServerResponse } from "node:http";

import { objectBody } from "../control/input.ts";
import { createOkAnswer, refuse, refuseMissing } from "../control/refusal.ts";
import { answerSim } from "../sim-routes.ts";
import type { SimRoutes } from "../sim-routes.ts";
import { familyFrames, isFamily } from "./game/families.ts";
import type { SurvivalSidecar } from "./sidecar.ts";
import { performPlayerAction, PlayerActionError } from "./turns.ts";
import type { PlayerAction } from "./turns.ts";
import { onlinePlayers } from "./world/world.ts";

/** The routes of a simulated survival server that only tests call. */
const routes: SimRoutes<SurvivalSidecar> = {
  "GET /sim/world": (_, { world, game }) =>
    createOkAnswer({
      framework: world.framework.name,
      worldReady: game.worldReady,
      saveId: world.save.saveId,
      saves: [...world.saves.keys()],
      players: [...world.players.keys()],
      online: onlinePlayers(world).map(({ steamId }) => steamId),
      staff: [...world.players.values()].filter(({ isStaff }) => isStaff).map((one) => one.steamId),
      leases: [...world.leases.values()],
      participations: [...world.participations.values()].map((one) => ({
        ...one,
        members: [...one.members.values()],
      })),
      entitlements: [...world.entitlements.values()],
      placements: [...world.npcs.placements.values()],
      npcs: [...world.npcs.alive.values()].map((npc) => ({ ...npc, damage: [...npc.damage] })),
      plugins: [...world.plugins.values()].map(({ name, loaded }) => ({ name, loaded })),
      codes: [...world.codes.keys()],
      voice: world.voice,
      titles: world.titles,
    }),
  "GET /sim/deeds": ({ query }, { deeds }) =>
    createOkAnswer({ deeds: deeds.of(query.get("what") ?? "") }),
  "GET /sim/family": ({ query }, { game }) => {
    const family = query.get("family") ?? "";
    if (!isFamily(family)) throw refuseMissing();
    const frames = familyFrames(game, family);
    return createOkAnswer({ frames: frames.map(([kind, payload]) => ({ kind, payload })) });
  },
  "POST /sim/turns": ({ body }, { game }) => {
    try {
      return createOkAnswer({
        result: performPlayerAction(game, objectBody(body) as unknown as PlayerAction),
      });
    } catch (error) {
      if (!(error instanceof PlayerActionError)) throw error;
      throw refuse(400, "INVALID", { field: "turn", reason: error.message });
    }
  },
};

export const answerSurvivalSim = (
  sidecar: SurvivalSidecar,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => answerSim(routes, sidecar, request, response);
