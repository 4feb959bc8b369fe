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

const byServer = Joi.object<{ serverId: number }, true>({ serverId: idParam });
const byPath = Joi.object<PlacementPath, true>({ serverId: idParam, placementId: idParam });

/** Where NPCs stand on a survival server. */
export const npcPlacementsRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/npcs/servers/:serverId/placements",
    summary: "Where NPCs stand on a survival server",
    description: "`live` is false while the game does not tell how they stand.",
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
    summary: "Add a placement",
    description:
      "A place of the map needs its coordinates; one at a monument needs the monument's label, and is " +
      "measured from that. The server is pushed it a little later, and again whenever it comes back.",
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
    summary: "Change a placement",
    description:
      "Absent fields stay. Sending its place, or `enabled: true`, sets it up in the world that stands.",
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
    summary: "Remove a placement, and its NPCs with it",
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
    summary: "Rename a placement, whose NPCs stand on",
    description: "A server that is off learns the name when it is back.",
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
    summary: "Fill a placement up with its NPCs now",
    description: "What the server lacks of profiles and placements is pushed first.",
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
 *         live: { type: boolean, description: Whether the game tells now how they stand. }
 *     NpcsRespawned:
 *       type: object
 *       additionalProperties: false
 *       required: [placement, spawned]
 *       properties:
 *         placement: { $ref: '#/components/schemas/NpcPlacement' }
 *         spawned: { type: integer, description: How many came., example: 3 }
 */
const viewOne = async (path: PlacementPath, context: ApiContext) => ({
  placement: viewPlacement(await findPlacement(path, context)),
});
