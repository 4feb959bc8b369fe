import Joi from "joi";

import {
  addTownCrierEntry,
  type NewTownCrierEntry,
  readTownCrier,
  removeTownCrierEntry,
} from "../../shared/shard/staff/town-crier.ts";
import { defineRoute } from "../http/route.ts";
import {
  commandRefusals,
  shardCallRefusals,
  commandRefusalDescription,
} from "./command-refusals.ts";
import { shardIdParam } from "./fields.ts";
import { createCommandRequest, requestIdOf } from "./order.ts";

const common = { gate: "roles:admin", set: "core", tag: "Shard staff" } as const;

const yearSec = 31_536_000;

export const townCrierRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     TownCrierEntry:
   *       type: object
   *       additionalProperties: false
   *       required: [id, lines, expiresAt]
   *       properties:
   *         id: { type: string }
   *         lines: { type: array, items: { type: string } }
   *         expiresAt: { type: string, format: date-time, nullable: true }
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/towncrier",
    set: "additive",
    summary: "List the town crier entries",
    description:
      "Returns the texts that the town criers (announcers in the game) shout. The service asks " +
      "the shard for the texts: 503 `shard_unavailable` while the shard cannot be reached.",
    answers: {
      200: { enveloped: "entries", shape: { listOf: "TownCrierEntry" } },
      ...shardCallRefusals,
    },
    handle: async (input, context) => ({
      entries: await readTownCrier(requestIdOf(input), context),
    }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/shardlink/towncrier",
    summary: "Add a town crier entry",
    description:
      "The town criers (announcers in the game) shout the lines until the entry expires. The " +
      "activity log records the command as `shard.towncrier.add`. 429 `shard_limit_reached` if " +
      `the shard does not accept more entries. ${commandRefusalDescription}`,
    body: Joi.object<NewTownCrierEntry>({
      lines: Joi.array<string[]>()
        .items(Joi.string().max(128))
        .min(1)
        .max(8)
        .required()
        .description("Lines of the text, at most 8. Each line has 1 to 128 characters."),
      durationSec: Joi.number()
        .integer()
        .min(60)
        .max(yearSec)
        .required()
        .description("Seconds until the entry expires: one minute to one year."),
    }).meta({ component: "TownCrierRequest" }),
    takes: ["Idempotency-Key"],
    answers: { 200: "TownCrierEntry", ...commandRefusals },
    handle: (input, context) => addTownCrierEntry(input.body, createCommandRequest(input), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     TownCrierRemoved:
   *       type: object
   *       additionalProperties: false
   *       required: [id, removed]
   *       properties:
   *         id: { type: string }
   *         removed: { type: boolean }
   */
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/admin/shardlink/towncrier/:id",
    summary: "Remove a town crier entry",
    description:
      "The town criers stop shouting the lines. The activity log records the command as " +
      "`shard.towncrier.remove`. 404 `unknown_to_shard` if the entry has expired or was already " +
      "removed. " +
      commandRefusalDescription,
    params: shardIdParam,
    takes: ["Idempotency-Key"],
    answers: { 200: "TownCrierRemoved", 404: "Error", ...commandRefusals },
    handle: (input, context) =>
      removeTownCrierEntry(input.params.id, createCommandRequest(input), context),
  }),
];
