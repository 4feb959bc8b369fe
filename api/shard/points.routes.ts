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
    summary: "List the points boards",
    description:
      "Returns every points board that the shard has published, sorted by displayed name. The " +
      "displayed name of a board is `nameString`. If `nameString` is null, it is the client text " +
      "(cliloc) with the number `nameNumber`. If `nameNumber` is null as well, it is the key " +
      "`system`. Names of characters are left out for callers below the audience of the field " +
      "rule `name`.",
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
    summary: "Get a points board",
    description:
      "Returns the points board. If no character has points, `top` is empty. 404 `not_found` if " +
      "the shard has never published this board. Names of characters are left out for callers " +
      "below the audience of the field rule `name`.",
    params: Joi.object<{ system: string }, true>({
      system: pointsSystem()
        .required()
        .description("Key of the points board.")
        .example("QueensLoyalty"),
    }),
    answers: { 200: "PointsBoard" },
    keepMs: 500,
    followsStream: true,
    handle: ({ params, caller }, context) =>
      readPointsBoard(params.system, callerMaySee("leaderboards", caller, context), context),
  }),
];
