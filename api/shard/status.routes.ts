import {
  readOnlinePlayers,
  readPresence,
  viewOnlinePlayer,
} from "../../shared/shard/public/presence.ts";
import { readRuleset, readShardStatus } from "../../shared/shard/public/status.ts";
import { reachableFeatures } from "../../shared/shard/visibility/visibility.ts";
import { defineRoute } from "../http/route.ts";
import { createCallerFieldCheck } from "./may-see.ts";

export const statusRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     ShardStatus:
   *       type: object
   *       additionalProperties: false
   *       required: [enabled, status, pluginConnected, lastEventAt, onlineCount, economy]
   *       properties:
   *         enabled: { type: boolean, description: Whether the link to the shard is on. }
   *         status: { $ref: '#/components/schemas/LinkStatus' }
   *         pluginConnected:
   *           type: boolean
   *           description: Whether the game process of the shard is connected now.
   *         lastEventAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: When the service last stored an event of the shard.
   *         onlineCount:
   *           type: integer
   *           description: Number of characters in the game. 0 while the game process is down.
   *         economy: { $ref: '#/components/schemas/EconomyPoint' }
   *     EconomyPoint:
   *       type: object
   *       nullable: true
   *       description: >-
   *         Latest figures of the game's economy. Null until the shard has reported figures.
   *       additionalProperties: false
   *       required: [accounts, gold, t]
   *       properties:
   *         accounts: { type: integer, nullable: true, description: Number of game accounts on the shard. }
   *         gold: { type: integer, nullable: true, description: 'Gold in the game, in coins.' }
   *         t: { type: integer, description: 'Time of the report by the game server''s clock, in epoch milliseconds.' }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/status",
    gate: "feature:status",
    set: "core",
    tag: "Shard",
    summary: "Get the state of the shard",
    description:
      "Returns the state of the link to the shard, the number of characters in the game, and the " +
      "latest figures of the game's economy. The data comes from the service's own database, so " +
      "it is also available while the shard is down.",
    answers: { 200: "ShardStatus" },
    keepMs: 500,
    followsStream: true,
    handle: (_input, { sequelize }) => readShardStatus(sequelize),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     OnlinePlayer:
   *       type: object
   *       description: >-
   *         A character in the game. Only moderators and administrators receive the location of the
   *         character.
   *       additionalProperties: false
   *       required: [serial, name]
   *       properties:
   *         serial: { type: string, example: '0x0000A001' }
   *         name: { type: string }
   *         map: { $ref: '#/components/schemas/FacetName' }
   *         x: { $ref: '#/components/schemas/Coordinate' }
   *         y: { $ref: '#/components/schemas/Coordinate' }
   *         z: { $ref: '#/components/schemas/Coordinate' }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/online",
    gate: "feature:online",
    set: "core",
    tag: "Shard",
    summary: "List the linked characters that are online",
    description:
      "Returns the characters that are in the game now and whose game account is linked to a " +
      "user, sorted by name. Only moderators and administrators receive the location of these " +
      "characters (`map`, `x`, `y`, `z`). The list is empty while the game process is down.",
    answers: { 200: { listOf: "OnlinePlayer" } },
    keepMs: 500,
    followsStream: true,
    handle: async ({ caller }, context) => {
      const players = await readOnlinePlayers(context);
      return players.map((player) => viewOnlinePlayer(player, caller?.role ?? null));
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     Presence:
   *       type: object
   *       additionalProperties: false
   *       required: [count, facets]
   *       properties:
   *         count: { type: integer, description: Number of characters in the game. }
   *         facets:
   *           type: object
   *           description: Number of characters by facet.
   *           additionalProperties: { type: integer }
   *         regions:
   *           type: object
   *           description: >-
   *             Number of characters by region. Absent for callers below the audience of the field
   *             rule `byRegion`.
   *           additionalProperties: { type: integer }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/presence",
    gate: "feature:presence",
    set: "core",
    tag: "Shard",
    summary: "Count the players online by facet and region",
    description:
      "Returns the number of characters in the game, in total, by facet and by region. `regions` " +
      "is left out for callers below the audience of the field rule `byRegion`. While the game " +
      "process is down, `count` is 0.",
    answers: { 200: "Presence" },
    keepMs: 500,
    followsStream: true,
    handle: ({ caller }, context) =>
      readPresence(createCallerFieldCheck("presence", caller, context), context),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/ruleset",
    gate: "feature:ruleset",
    set: "core",
    tag: "Shard",
    summary: "Get the rules of the game world",
    description: "Returns the rules that the shard has published, or null if there are none.",
    answers: { 200: "Ruleset" },
    keepMs: 500,
    followsStream: true,
    handle: (_input, context) => readRuleset(context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     ShardFeatures:
   *       type: object
   *       additionalProperties: false
   *       required: [level, features]
   *       properties:
   *         level: { $ref: '#/components/schemas/Rung' }
   *         features: { type: array, items: { $ref: '#/components/schemas/Feature' } }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/features",
    gate: "public",
    set: "core",
    tag: "Shard",
    summary: "List the features that the caller may use",
    description:
      "Returns the caller's audience and the features of the shard that this audience may see. A " +
      "web app can build its navigation from this list, so that no link leads to a 403 or 404.",
    answers: { 200: "ShardFeatures" },
    handle: ({ caller }, { visibility }) => {
      const level = caller?.rung ?? "anonymous";
      return { level, features: reachableFeatures(visibility.current, level) };
    },
  }),
];
