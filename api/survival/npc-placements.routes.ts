import Joi from "joi";

import {
  changePlacement,
  createPlacement,
  deletePlacement,
  type PlacementPath,
} from "../../shared/survival/npcs/change-placements.ts";
import { renamePlacement, respawnPlacement } from "../../shared/survival/npcs/commands.ts";
import {
  type NewPlacement,
  type PlacementChange,
  placementFields,
  placementName,
} from "../../shared/survival/npcs/placement-fields.ts";
import {
  findPlacement,
  readPlacements,
  requirePlacement,
} from "../../shared/survival/npcs/read-placements.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer } from "../http/answer.ts";
import { idParam } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { createCommandRequest } from "../shard/order.ts";
import { viewPlacement } from "./npc-views.ts";

const common = { set: "additive", tag: "Survival staff", gate: "roles:admin" } as const;
const placement = { enveloped: "placement", shape: "NpcPlacement" } as const;

/** The revision check of a placement. A `stale_revision` refusal contains the current placement. */
const based = {
  when: "optional",
  as: "hash",
  current: async ({ params }: { readonly params: PlacementPath }, context: ApiContext) =>
    viewPlacement(await findPlacement(params, context)),
} as const;

const serverParam = idParam.description("Id of the survival server.");
const byServer = Joi.object<{ serverId: number }, true>({ serverId: serverParam });
const byPath = Joi.object<PlacementPath, true>({
  serverId: serverParam,
  placementId: idParam.description("Id of the NPC placement."),
});

export const npcPlacementsRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements",
    summary: "List the NPC placements of a survival server",
    description:
      "Returns the NPC placements of the server (the places where NPCs spawn) with their state " +
      "in the game, sorted by name. The operation also works while the server is offline; `live` " +
      "is then false. 404 `not_found` if the server is unknown.",
    params: byServer,
    answers: { 200: "NpcPlacements", 404: "Error" },
    handle: async ({ params: { serverId } }, context) => {
      const { placements, live } = await readPlacements(serverId, context);
      return { placements: placements.map(viewPlacement), live };
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements",
    summary: "Add an NPC placement",
    description:
      "Creates an NPC placement. The service sends the placement to the server within seconds, " +
      "and again when the server comes back online. With the anchor `world`, the fields `x`, `y` " +
      "and `z` are required. With the anchor `monument`, the field `monument` is required, and " +
      "the coordinates are relative to the monument. The activity log records the request as " +
      "`survival.npc.placement_added`. 409 `name_taken` if the server already has a placement " +
      "with this name, 409 `npc_limit_reached` if the server already has 500 placements. 400 if " +
      "the profile does not exist.",
    params: byServer,
    body: Joi.object<NewPlacement>({
      name: placementName.required(),
      ...placementFields,
      profileKey: placementFields.profileKey.required(),
    }),
    answers: { 201: placement, 404: "Error", 409: "Error" },
    find: ({ params }, context) => findServer(params.serverId, context),
    handle: async ({ params: { serverId }, body, caller }, context) => {
      const placementId = await createPlacement(serverId, body, caller, context);
      return createAnswer(201, await viewOne({ serverId, placementId }, context));
    },
  }),
  defineRoute({
    ...common,
    method: "put",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements/:placementId",
    summary: "Change an NPC placement",
    description:
      "Fields that the request omits keep their values. If the placement was created for an " +
      "earlier world, it becomes valid in the current world when the request contains the " +
      "anchor, the monument, a coordinate, `onWipe` or `enabled: true`. The service sends the " +
      "change to the server within seconds. The activity log records the request as " +
      "`survival.npc.placement_changed`. 400 if `name` is present and is not the current name of " +
      "the placement: use `POST …/rename` instead.",
    params: byPath,
    basedOn: based,
    body: Joi.object<PlacementChange>({ name: placementName, ...placementFields }),
    answers: { 200: placement, 404: "Error" },
    find: ({ params }, context) => requirePlacement(params, context),
    handle: async ({ params, body, caller }, context) => {
      await changePlacement(params, body, caller, context);
      return viewOne(params, context);
    },
  }),
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements/:placementId",
    summary: "Delete an NPC placement",
    description:
      "Deletes an NPC placement. The game removes the NPCs of the placement with the next sync: " +
      "within seconds, or as soon as the server is online again. The activity log records the " +
      "request as `survival.npc.placement_removed`.",
    params: byPath,
    basedOn: based,
    answers: { 200: "DeletedId", 404: "Error" },
    find: ({ params }, context) => requirePlacement(params, context),
    handle: async ({ params, caller }, context) => {
      await deletePlacement(params, caller, context);
      return { id: params.placementId };
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements/:placementId/rename",
    summary: "Rename an NPC placement",
    description:
      "Renames an NPC placement without removing its NPCs. The game server receives the new name " +
      "immediately or, if it is offline, with the next sync. If the placement already has the " +
      "name, nothing changes. The activity log records the request as " +
      "`survival.npc.placement_renamed`. 409 `name_taken` if the server has another placement " +
      "with this name.",
    params: byPath,
    basedOn: based,
    body: Joi.object<{ name: string }, true>({ name: placementName.required() }),
    takes: ["Idempotency-Key"],
    answers: { 200: placement, 404: "Error", 409: "Error" },
    find: ({ params }, context) => requirePlacement(params, context),
    handle: async (input, context) => {
      await renamePlacement(input.params, input.body.name, createCommandRequest(input), context);
      return viewOne(input.params, context);
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements/:placementId/respawn",
    summary: "Respawn the NPCs of a placement",
    description:
      "Asks the game to spawn the missing NPCs of the placement immediately, and returns how " +
      "many NPCs it spawned. First, the service sends pending changes of profiles and placements " +
      "to the server. The ledger records the request, and the activity log records it as " +
      "`survival.npc.respawned`. 409 `npc_unsupported` if the server's NPC plugin is missing or " +
      "too old. 404 `unknown_to_shard` if the game does not know the placement. 503 " +
      "`shard_unavailable` if the game server is offline.",
    params: byPath,
    basedOn: based,
    takes: ["Idempotency-Key"],
    answers: { 200: "NpcsRespawned", 404: "Error", 409: "Error", 503: "Error" },
    find: ({ params }, context) => requirePlacement(params, context),
    handle: async (input, context) => {
      const spawned = await respawnPlacement(input.params, createCommandRequest(input), context);
      return { ...(await viewOne(input.params, context)), spawned };
    },
  }),
];

/**
 * @openapi
 * components:
 *   schemas:
 *     NpcPlacements:
 *       type: object
 *       additionalProperties: false
 *       required: [placements, live]
 *       properties:
 *         placements: { type: array, items: { $ref: '#/components/schemas/NpcPlacement' } }
 *         live:
 *           type: boolean
 *           description: Whether the game reports the state of the placements now.
 *     NpcsRespawned:
 *       type: object
 *       additionalProperties: false
 *       required: [placement, spawned]
 *       properties:
 *         placement: { $ref: '#/components/schemas/NpcPlacement' }
 *         spawned: { type: integer, description: Number of NPCs that the game spawned., example: 3 }
 */
const viewOne = async (path: PlacementPath, context: ApiContext) => ({
  placement: viewPlacement(await findPlacement(path, context)),
});
