import { healthRoute, resyncRoute } from "../../control/ground-routes.ts";
import { createOkAnswer } from "../../control/refusal.ts";
import { isFamily } from "../game/families.ts";
import { capabilities } from "../game/states.ts";
import { defineReadRoute } from "./route.ts";
import type { SurvivalRoute } from "./route.ts";

export const groundRoutes: readonly SurvivalRoute[] = [
  healthRoute(13, () => capabilities),
  resyncRoute(13, isFamily),
  defineReadRoute("/v1/hello", (_, { game }) => createOkAnswer(game.helloFacts())),
];
