import {
  readOnlinePlayers,
  readPresence,
  viewOnlinePlayer,
} from "../../shared/shard/public/presence.ts";
import { readRuleset } from "../../shared/shard/public/ruleset.ts";
import { readShardStatus } from "../../shared/shard/public/status.ts";
import { reachableFeatures } from "../../shared/shard/visibility/visibility.ts";
import { route } from "../http/route.ts";
import { callerMaySee } from "./may-see.ts";

export const statusRoutes = [
  route({
    method: "get",
    path: "/api/v1/public/shard/status",
    gate: "feature:status",
    set: "core",
    tag: "Shard",
    summary: "State of the shard and its link",
    description: "Answers from the service's own tables, also while the shard is down.",
    answers: { 200: "ShardStatus" },
    keepMs: 500,
    followsStream: true,
    handle: (_input, { sequelize }) => readShardStatus(sequelize),
  }),
  route({
    method: "get",
    path: "/api/v1/public/shard/online",
    gate: "feature:online",
    set: "core",
    tag: "Shard",
    summary: "Characters of linked accounts in the world",
    description: "Where a character stands is shown to moderators and admins alone.",
    answers: { 200: { listOf: "OnlinePlayer" } },
    keepMs: 500,
    followsStream: true,
    handle: async ({ caller }, context) => {
      const players = await readOnlinePlayers(context);
      return players.map((player) => viewOnlinePlayer(player, caller?.role ?? null));
    },
  }),
  route({
    method: "get",
    path: "/api/v1/public/shard/presence",
    gate: "feature:presence",
    set: "core",
    tag: "Shard",
    summary: "How many are in the world, by facet and region",
    answers: { 200: "Presence" },
    keepMs: 500,
    followsStream: true,
    handle: ({ caller }, context) =>
      readPresence(callerMaySee("presence", caller, context), context),
  }),
  route({
    method: "get",
    path: "/api/v1/public/shard/ruleset",
    gate: "feature:ruleset",
    set: "core",
    tag: "Shard",
    summary: "Rules of the world",
    description: "Null while the shard never published them.",
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
  route({
    method: "get",
    path: "/api/v1/public/shard/features",
    gate: "public",
    set: "core",
    tag: "Shard",
    summary: "What the caller may reach",
    description: "Navigation is drawn from it, so that no link answers 403.",
    answers: { 200: "ShardFeatures" },
    handle: ({ caller }, { visibility }) => {
      const level = caller?.rung ?? "anonymous";
      return { level, features: reachableFeatures(visibility.current, level) };
    },
  }),
];
