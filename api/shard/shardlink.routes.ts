import Joi from "joi";

import { type SignupMode, signupModes } from "../../shared/shard/bridge-answers.ts";
import { changeSignupMode, readSignupMode } from "../../shared/shard/signup-mode.ts";
import {
  addTownCrierEntry,
  type NewEntry,
  readTownCrier,
  removeTownCrierEntry,
} from "../../shared/shard/town-crier.ts";
import { route } from "../http/route.ts";
import { madeUpIdParam } from "./fields.ts";
import { orderOf, requestIdOf } from "./order.ts";

const common = { gate: "roles:admin", set: "core", tag: "Shard staff" } as const;
const refusals = { 502: "Error", 503: "Error" };
const commandRefusals = { 403: "Error", 409: "Error", 429: "Error", ...refusals };

const yearSec = 31_536_000;

/** How the shard takes sign-ups, and what its town criers shout. */
export const shardlinkRoutes = [
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
    params: madeUpIdParam,
    answers: { 200: "TownCrierRemoved", 404: "Error", ...commandRefusals },
    handle: (input, context) => removeTownCrierEntry(input.params.id, orderOf(input), context),
  }),
];
