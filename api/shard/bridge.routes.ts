import Joi from "joi";

import { controlAddress, socketAddress } from "../../shared/bridge/addresses.ts";
import { shardProtocols } from "../../shared/shard/bridge-calls.ts";
import { readRejectedFrames } from "../../shared/shard/rejected.ts";
import {
  readShardlinkConfig,
  saveShardlinkConfig,
  type ShardlinkChange,
} from "../../shared/shard/shardlink-config.ts";
import { route } from "../http/route.ts";

/** What a header can carry; white space around it came along with the copying. */
const bearerToken = Joi.string()
  .allow("")
  .max(4096)
  .custom((text: string, helpers) => {
    const token = text.trim();
    return /^[\x20-\x7E]*$/.test(token) ? token : helpers.error("token.characters");
  }, "a bearer token")
  .messages({ "token.characters": "{{#label}} must be letters, digits and signs of ASCII" });

export const bridgeRoutes = [
  route({
    method: "get",
    path: "/api/v1/admin/shardlink/config",
    gate: "roles:admin",
    set: "core",
    tag: "Shard staff",
    summary: "The link to the shard, and what came through it",
    description: "The token never leaves. `health` is the sidecar's own answer, asked now.",
    answers: { 200: "ShardlinkConfig" },
    handle: (_input, context) => readShardlinkConfig(context),
  }),
  route({
    method: "put",
    path: "/api/v1/admin/shardlink/config",
    gate: "roles:admin",
    set: "core",
    tag: "Shard staff",
    summary: "Change the link to the shard",
    description:
      "Absent fields stay, a blank token keeps the stored one. Ingest connects anew at once.",
    body: Joi.object<ShardlinkChange, true>({
      baseUrl: controlAddress.allow(""),
      wsUrl: socketAddress.allow(""),
      token: bearerToken,
      protocol: Joi.number().valid(...shardProtocols),
      enabled: Joi.boolean(),
    }),
    answers: { 200: "ShardlinkConfig" },
    handle: ({ body, caller }, context) => saveShardlinkConfig(body, caller, context),
  }),
  route({
    method: "get",
    path: "/api/v1/admin/shardlink/rejected",
    gate: "roles:admin",
    set: "additive",
    tag: "Shard staff",
    summary: "Frames that were refused, newest first",
    query: Joi.object<{ limit: number }, true>({
      limit: Joi.number().integer().min(1).max(1000).default(100),
    }),
    answers: { 200: { enveloped: "frames", shape: { listOf: "RejectedFrame" } } },
    handle: async ({ query }, { sequelize }) => ({
      frames: await readRejectedFrames(query.limit, sequelize),
    }),
  }),
];
