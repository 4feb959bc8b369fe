import Joi from "joi";

import { pointsSystem } from "../../shared/shard/kinds/points.ts";
import { readPointsBoard, readPointsBoards } from "../../shared/shard/public/points.ts";
import { route } from "../http/route.ts";
import { callerMaySee } from "./may-see.ts";

export const pointsRoutes = [
  route({
    method: "get",
    path: "/api/v1/public/shard/points",
    gate: "feature:leaderboards",
    set: "core",
    tag: "Shard",
    summary: "Points boards by display name",
    answers: { 200: { listOf: "PointsBoard" } },
    keepMs: 500,
    followsStream: true,
    handle: ({ caller }, context) =>
      readPointsBoards(callerMaySee("leaderboards", caller, context), context),
  }),
  route({
    method: "get",
    path: "/api/v1/public/shard/points/:system",
    gate: "feature:leaderboards",
    set: "core",
    tag: "Shard",
    summary: "One points board",
    description: "A board nobody has scored on answers with an empty `top`.",
    params: Joi.object<{ system: string }, true>({
      system: pointsSystem().required().description("The key of a board.").example("QueensLoyalty"),
    }),
    answers: { 200: "PointsBoard" },
    keepMs: 500,
    followsStream: true,
    handle: ({ params, caller }, context) =>
      readPointsBoard(params.system, callerMaySee("leaderboards", caller, context), context),
  }),
];
