import Joi from "joi";

import { pointsSystemField } from "../../shared/shard/kinds/points.ts";
import { readPointsBoard, readPointsBoards } from "../../shared/shard/public/points.ts";
import { defineRoute } from "../http/route.ts";
import { createCallerFieldCheck } from "./may-see.ts";

export const pointsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     PointsBoard:
   *       type: object
   *       additionalProperties: false
   *       required: [system, nameString, nameNumber, maxPoints, players, showOnGump, top, t, updatedAt]
   *       properties:
   *         system: { type: string, description: Key of the points board., example: QueensLoyalty }
   *         nameString:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Displayed name of the board. If null, the displayed name is the client text with the
   *             number `nameNumber` or, if `nameNumber` is null as well, the key `system`.
   *         nameNumber:
   *           type: integer
   *           nullable: true
   *           description: >-
   *             Number of the client text (cliloc) that is the displayed name of the board. 0 if the
   *             displayed name is `nameString`. Null if the board has neither a client text nor a
   *             `nameString`.
   *         maxPoints:
   *           type: integer
   *           nullable: true
   *           description: Maximum points that a character can have. Null if there is no limit.
   *         players:
   *           type: integer
   *           nullable: true
   *           description: >-
   *             Number of players who have points, including players that `top` does not list. Null
   *             if the shard does not report it.
   *         showOnGump: { type: boolean, description: Whether the game shows the board in its own list of boards. }
   *         top:
   *           type: array
   *           description: >-
   *             Ranks of the board, best rank first. The shard decides how many ranks it publishes.
   *           items: { $ref: '#/components/schemas/PointsRank' }
   *         t:
   *           type: integer
   *           nullable: true
   *           description: When the shard published this state of the board, in epoch milliseconds.
   *         updatedAt: { type: string, format: date-time }
   *     PointsRank:
   *       type: object
   *       additionalProperties: false
   *       required: [rank, serial, points]
   *       properties:
   *         rank: { type: integer }
   *         serial: { type: string }
   *         name:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Name of the character. Absent for callers below the audience of the field rule
   *             `name`.
   *         points: { type: integer }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/points",
    gate: "feature:leaderboards",
    set: "core",
    tag: "Shard",
    summary: "List the points boards",
    description:
      "Returns every points board that the shard has published, sorted by displayed name. The " +
      "displayed name of a board is `nameString`. If `nameString` is null, the displayed name is " +
      "the client text (cliloc) with the number `nameNumber`. If `nameNumber` is null as well, " +
      "the displayed name is the key `system`. Names of characters are left out for callers " +
      "below the audience of the field rule `name`.",
    answers: { 200: { listOf: "PointsBoard" } },
    keepMs: 500,
    followsStream: true,
    handle: ({ caller }, context) =>
      readPointsBoards(createCallerFieldCheck("leaderboards", caller, context), context),
  }),
  defineRoute({
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
      system: pointsSystemField()
        .required()
        .description("Key of the points board.")
        .example("QueensLoyalty"),
    }),
    answers: { 200: "PointsBoard" },
    keepMs: 500,
    followsStream: true,
    handle: ({ params, caller }, context) =>
      readPointsBoard(
        params.system,
        createCallerFieldCheck("leaderboards", caller, context),
        context,
      ),
  }),
];
