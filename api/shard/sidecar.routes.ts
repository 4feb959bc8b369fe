import Joi from "joi";

import { controlAddress, socketAddress } from "../../shared/bridge/addresses.ts";
import { limits } from "../../shared/limits.ts";
import { type SignupMode, signupModes } from "../../shared/shard/calls/bridge-answers.ts";
import { shardProtocols } from "../../shared/shard/calls/bridge-calls.ts";
import {
  readSidecarLinkConfig,
  saveSidecarLinkConfig,
  type SidecarLinkChange,
} from "../../shared/shard/staff/sidecar-link-config.ts";
import { changeSignupMode, readSignupMode } from "../../shared/shard/staff/signup-mode.ts";
import {
  addTownCrierEntry,
  type NewEntry,
  readTownCrier,
  removeTownCrierEntry,
} from "../../shared/shard/staff/town-crier.ts";
import { readRejectedFrames } from "../../shared/shard/streams/rejected.ts";
import { bearerTokenField, limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { shardIdParam } from "./fields.ts";
import { orderOf, requestIdOf } from "./order.ts";

const common = { gate: "roles:admin", set: "core", tag: "Shard staff" } as const;
const refusals = { 502: "Error", 503: "Error" };
const commandRefusals = { 403: "Error", 409: "Error", 429: "Error", ...refusals };

const yearSec = 31_536_000;

/** The link to the shard, how the shard takes sign-ups, and what its town criers shout. */
export const sidecarRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/config",
    summary: "The link to the shard, and what came through it",
    description: "The token never leaves. `health` is the sidecar's own answer, asked now.",
    answers: { 200: "ShardlinkConfig" },
    handle: (_input, context) => readSidecarLinkConfig(context),
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/shardlink/config",
    summary: "Change the link to the shard",
    description:
      "Absent fields stay, a blank token keeps the stored one. Ingest connects anew at once.",
    confirms: true,
    body: Joi.object<SidecarLinkChange, true>({
      baseUrl: controlAddress.allow(""),
      wsUrl: socketAddress.allow(""),
      token: bearerTokenField,
      protocol: Joi.number().valid(...shardProtocols),
      enabled: Joi.boolean(),
    }).example({ baseUrl: "https://shard.example.org:8443", enabled: true }),
    answers: { 200: "ShardlinkConfig" },
    handle: ({ body, caller }, context) => saveSidecarLinkConfig(body, caller, context),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/rejected",
    set: "additive",
    summary: "Frames that were refused, newest first",
    query: Joi.object<{ limit: number }, true>({
      limit: limitField(limits.rejectedFrames),
    }),
    answers: { 200: { enveloped: "frames", shape: { listOf: "RejectedFrame" } } },
    handle: async ({ query }, context) => ({
      frames: await readRejectedFrames(query.limit, context),
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
    takes: ["Idempotency-Key"],
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
    takes: ["Idempotency-Key"],
    answers: { 200: "TownCrierEntry", ...commandRefusals },
    handle: (input, context) => addTownCrierEntry(input.body, orderOf(input), context),
  }),
  route({
    ...common,
    method: "delete",
    path: "/api/v1/admin/shardlink/towncrier/:id",
    summary: "Have the town criers shout it no more",
    params: shardIdParam,
    takes: ["Idempotency-Key"],
    answers: { 200: "TownCrierRemoved", 404: "Error", ...commandRefusals },
    handle: (input, context) => removeTownCrierEntry(input.params.id, orderOf(input), context),
  }),
];
