import { routeFinder } from "../../control/plane-route.ts";
import { configRoutes } from "./config.ts";
import { groundRoutes } from "./ground.ts";
import { mapRoutes } from "./map.ts";
import { moderationRoutes } from "./moderation.ts";
import { npcRoutes } from "./npcs.ts";
import { permissionRoutes } from "./permissions.ts";
import { rewardRoutes } from "./rewards.ts";
import { speechRoutes } from "./speech.ts";
import { zoneRoutes } from "./zones.ts";

export const findSurvivalRoute = routeFinder([
  ...groundRoutes,
  ...permissionRoutes,
  ...npcRoutes,
  ...zoneRoutes,
  ...rewardRoutes,
  ...speechRoutes,
  ...configRoutes,
  ...mapRoutes,
  ...moderationRoutes,
]);
