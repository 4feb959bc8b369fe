import { accountRoutes } from "./accounts.ts";
import { groundRoutes } from "./ground.ts";
import { helpRoutes } from "./help.ts";
import { moderationRoutes } from "./moderation.ts";
import { routeFinder } from "./plane-route.ts";
import { sourceRoutes } from "./sources.ts";

export const findShardRoute = routeFinder([
  ...groundRoutes,
  ...accountRoutes,
  ...moderationRoutes,
  ...helpRoutes,
  ...sourceRoutes,
]);
