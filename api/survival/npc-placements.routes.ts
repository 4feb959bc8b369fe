import Joi from "joi";

import {
  renamePlacement,
  respawnPlacement,
} from "../../shared/survival/npcs/commands/use-placement.ts";
import {
  changePlacement,
  createPlacement,
  deletePlacement,
  type PlacementPath,
} from "../../shared/survival/npcs/placements/change-placements.ts";
import {
  type NewPlacement,
  type PlacementChange,
  placementFields,
  placementName,
} from "../../shared/survival/npcs/placements/placement-fields.ts";
import {
  findPlacement,
  readPlacements,
  requirePlacement,
} from "../../shared/survival/npcs/placements/read-placements.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { idParam } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { orderOf } from "../shard/order.ts";
import { viewPlacement } from "./npc-views.ts";

const common = { set: "additive", tag: "Survival staff", gate: "roles:admin" } as const;
const placement = { enveloped: "placement", shape: "NpcPlacement" } as const;

/** For the refusal of what is based on another revision. */
const based = {
  when: "optional",
  as: "hash",
  current: async ({ params }: { readonly params: PlacementPath }, context: ApiContext) =>
    viewPlacement(await findPlacement(params, context)),
} as const;

const serverIdParam = idParam.description("Id of the survival server.");
const byServer = Joi.object<{ serverId: number }, true>({ serverId: serverIdParam });
const byPath = Joi.object<PlacementPath, true>({
  serverId: serverIdParam,
  placementId: idParam.description("Id of the NPC placement."),
});

/** Where NPCs stand on a survival server. */
export const npcPlacementsRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements",
    summary: "List the NPC placements of a survival server",
    description:
      "Returns the places where NPCs spawn, sorted by name, with their state in the game. Works " +
      "while the server is offline, too; `live` is then false. 404 for an unknown server.",
    params: byServer,
    answers: { 200: "NpcPlacements", 404: "Error" },
    handle: async ({ params: { serverId } }, context) => {
      const { placements, live } = await readPlacements(serverId, context);
      return { placements: placements.map(viewPlacement), live };
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements",
    summary: "Add an NPC placement",
    description:
      "Creates a placement. It is synced to the server within seconds, and again whenever the " +
      "server comes back. With the anchor `world`, the fields `x`, `y` and `z` are required. " +
      "With the anchor `monument`, the field `monument` is required, and the coordinates are " +
      "relative to the monument. Recorded in the activity log as `survival.npc.placement_added`. " +
      "409 `name_taken` if the server already has a placement with the name, `npc_limit_reached` " +
      "if it has 500 placements. 400 if the profile does not exist.",
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
      return answer(201, await viewOne({ serverId, placementId }, context));
    },
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements/:placementId",
    summary: "Change an NPC placement",
    description:
      "Omitted fields keep their values. A placement that was created for an earlier world " +
      "becomes valid in the current world if the anchor, the monument, a coordinate, `onWipe` or " +
      "`enabled: true` is sent. The server is synced within seconds. Recorded in the activity " +
      "log as `survival.npc.placement_changed`. 400 for a new name: use the operation that " +
      "renames a placement.",
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
  route({
    ...common,
    method: "delete",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements/:placementId",
    summary: "Delete an NPC placement",
    description:
      "Deletes a placement. Its NPCs are removed from the game with the next sync, within " +
      "seconds or as soon as the server is back. Recorded in the activity log as " +
      "`survival.npc.placement_removed`.",
    params: byPath,
    basedOn: based,
    answers: { 200: "DeletedId", 404: "Error" },
    find: ({ params }, context) => requirePlacement(params, context),
    handle: async ({ params, caller }, context) => {
      await deletePlacement(params, caller, context);
      return { id: params.placementId };
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements/:placementId/rename",
    summary: "Rename an NPC placement",
    description:
      "Renames a placement without removing its NPCs. The game server receives the name " +
      "immediately or, if it is offline, with the next sync. A repeat changes nothing. Recorded " +
      "in the activity log as `survival.npc.placement_renamed`. 409 `name_taken` if the server " +
      "has another placement with the name.",
    params: byPath,
    basedOn: based,
    body: Joi.object<{ name: string }, true>({ name: placementName.required() }),
    takes: ["Idempotency-Key"],
    answers: { 200: placement, 404: "Error", 409: "Error" },
    find: ({ params }, context) => requirePlacement(params, context),
    handle: async (input, context) => {
      await renamePlacement(input.params, input.body.name, orderOf(input), context);
      return viewOne(input.params, context);
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements/:placementId/respawn",
    summary: "Respawn the NPCs of a placement",
    description:
      "Has the game spawn the missing NPCs of a placement immediately, and returns how many it " +
      "spawned. Pending changes of profiles and placements are synced first. Recorded in the " +
      "activity log as `survival.npc.respawned` and in the ledger. 409 `npc_unsupported` if the " +
      "server's NPC plugin is missing or too old. 404 `unknown_to_shard` if the game does not " +
      "know the placement. 503 `shard_unavailable` if the server is offline.",
    params: byPath,
    basedOn: based,
    takes: ["Idempotency-Key"],
    answers: { 200: "NpcsRespawned", 404: "Error", 409: "Error", 503: "Error" },
    find: ({ params }, context) => requirePlacement(params, context),
    handle: async (input, context) => {
      const spawned = await respawnPlacement(input.params, orderOf(input), context);
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
 *           description: Whether the game currently reports the state of the placements.
 *     NpcsRespawned:
 *       type: object
 *       additionalProperties: false
 *       required: [placement, spawned]
 *       properties:
 *         placement: { $ref: '#/components/schemas/NpcPlacement' }
 *         spawned: { type: integer, description: Number of NPCs that were spawned., example: 3 }
 */
const viewOne = async (path: PlacementPath, context: ApiContext) => ({
  placement: viewPlacement(await findPlacement(path, context)),
});
