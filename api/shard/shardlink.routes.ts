import Joi from "joi";

import { controlAddress, socketAddress } from "../../shared/bridge/addresses.ts";
import { type SignupMode, signupModes } from "../../shared/shard/bridge-answers.ts";
import { shardProtocols } from "../../shared/shard/bridge-calls.ts";
import { readRejectedFrames } from "../../shared/shard/rejected.ts";
import {
  readShardlinkConfig,
  saveShardlinkConfig,
  type ShardlinkChange,
} from "../../shared/shard/shardlink-config.ts";
import { changeSignupMode, readSignupMode } from "../../shared/shard/signup-mode.ts";
import {
  addTownCrierEntry,
  type NewEntry,
  readTownCrier,
  removeTownCrierEntry,
} from "../../shared/shard/town-crier.ts";
import { limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { shardIdParam } from "./fields.ts";
import { orderOf, requestIdOf } from "./order.ts";

const common = { gate: "roles:admin", set: "core", tag: "Shard staff" } as const;
const refusals = { 502: "Error", 503: "Error" };
const commandRefusals = { 403: "Error", 409: "Error", 429: "Error", ...refusals };

const yearSec = 31_536_000;

/** What a header can carry; white space around it came along with the copying. */
const bearerToken = Joi.string()
  .allow("")
  .max(4096)
  .custom((text: string, helpers) => {
    const token = text.trim();
    return /^[\x20-\x7E]*$/.test(token) ? token : helpers.error("token.characters");
  }, "a bearer token")
  .messages({ "token.characters": "{{#label}} must be letters, digits and signs of ASCII" });

/** The link to the shard, how the shard takes sign-ups, and what its town criers shout. */
export const shardlinkRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/config",
    summary: "The link to the shard, and what came through it",
    description: "The token never leaves. `health` is the sidecar's own answer, asked now.",
    answers: { 200: "ShardlinkConfig" },
    handle: (_input, context) => readShardlinkConfig(context),
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/shardlink/config",
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
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/rejected",
    set: "additive",
    summary: "Frames that were refused, newest first",
    query: Joi.object<{ limit: number }, true>({
      limit: limitField({ min: 1, max: 1000, default: 100 }),
    }),
    answers: { 200: { enveloped: "frames", shape: { listOf: "RejectedFrame" } } },
    handle: async ({ query }, { sequelize }) => ({
      frames: await readRejectedFrames(query.limit, sequelize),
    }),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/signup-mode",
    summary: "Where the shard takes new game accounts from",
    answers: { 200: "SignupModes", ...refusals },
    handle: (input, context) => readSignupMode(requestIdOf(input), context),
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/shardlink/signup-mode",
    summary: "Change where the shard takes new game accounts from",
    body: Joi.object<{ mode: SignupMode }, true>({
      mode: Joi.string<SignupMode>()
        .valid(...signupModes)
        .required(),
    }),
    answers: { 200: "SignupMode", ...commandRefusals },
    handle: (input, context) => changeSignupMode(input.body, orderOf(input), context),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/towncrier",
    set: "additive",
    summary: "What the town criers shout",
    answers: {
      200: { enveloped: "entries", shape: { listOf: "TownCrierEntry" } },
      ...refusals,
    },
    handle: async (input, context) => ({
      entries: await readTownCrier(requestIdOf(input), context),
    }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shardlink/towncrier",
    summary: "Have the town criers shout something",
    body: Joi.object<NewEntry>({
      lines: Joi.array<string[]>().items(Joi.string().max(128)).min(1).max(8).required(),
      durationSec: Joi.number().integer().min(60).max(yearSec).required(),
    }),
    answers: { 200: "TownCrierEntry", ...commandRefusals },
    handle: (input, context) => addTownCrierEntry(input.body, orderOf(input), context),
  }),
  route({
    ...common,
    method: "delete",
    path: "/api/v1/admin/shardlink/towncrier/:id",
    summary: "Have the town criers shout it no more",
    params: shardIdParam,
    answers: { 200: "TownCrierRemoved", 404: "Error", ...commandRefusals },
    handle: (input, context) => removeTownCrierEntry(input.params.id, orderOf(input), context),
  }),
];
