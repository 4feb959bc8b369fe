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
    summary: "Get the state of the shard",
    description:
      "Returns the state of the link to the shard, the number of players online, and the latest " +
      "figures of the economy. The data comes from the service's own database, also while the " +
      "shard is down.",
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
    summary: "List the linked characters that are online",
    description:
      "Returns the online characters whose game account is linked to a user, sorted by name. " +
      "Only moderators and administrators receive `map`, `x`, `y` and `z`. The list is empty " +
      "while the game process is down.",
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
    summary: "Count the players online by facet and region",
    description:
      "Counts all characters in the game. `regions` is left out for callers below the audience " +
      "of the field rule `byRegion`. While the game process is down, `count` is 0.",
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
  route({
    method: "get",
    path: "/api/v1/public/shard/features",
    gate: "public",
    set: "core",
    tag: "Shard",
    summary: "List the features that the caller may use",
    description:
      "Returns the audience that the caller belongs to, and the features of the shard that it can use. A web app " +
      "can build its navigation from this list, so that no link leads to 403 or 404.",
    answers: { 200: "ShardFeatures" },
    handle: ({ caller }, { visibility }) => {
      const level = caller?.rung ?? "anonymous";
      return { level, features: reachableFeatures(visibility.current, level) };
    },
  }),
];
