import { readIntegrations } from "../../shared/survival/servers/read-integrations.ts";
import { rowIdParams } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { requestIdOf } from "../shard/order.ts";

export const integrationsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalIntegrations:
   *       type: object
   *       additionalProperties: false
   *       required: [serverId, online, checkedAt, framework, integrations]
   *       properties:
   *         serverId: { type: integer, example: 3 }
   *         online:
   *           type: boolean
   *           description: >-
   *             Whether the server responded. If false, the other fields contain the server's last
   *             report.
   *         checkedAt: { type: string, format: date-time, description: Time of this response. }
   *         framework:
   *           type: object
   *           nullable: true
   *           description: Mod loader of the server. Null while unknown.
   *           additionalProperties: false
   *           required: [name, version]
   *           properties:
   *             name: { type: string, example: oxide }
   *             version: { type: string, nullable: true, example: 2.0.6521 }
   *         integrations:
   *           type: array
   *           items:
   *             type: object
   *             additionalProperties: false
   *             required: [id, mod, loaded, version, usable, reason, enables]
   *             properties:
   *               id: { type: string, example: zones, description: Purpose for which the site uses the mod. }
   *               mod: { type: string, nullable: true, example: ZoneManager }
   *               loaded: { type: boolean }
   *               version: { type: string, nullable: true, example: 3.1.2 }
   *               usable: { type: boolean, description: Whether the site can use the mod now. }
   *               reason:
   *                 type: string
   *                 nullable: true
   *                 enum: [offline, unsupported, not-loaded, outdated, null]
   *                 description: >-
   *                   Why the site cannot use the mod. `offline`: the server did not respond.
   *                   `unsupported`: the server's bridge plugin cannot list mods. `not-loaded`: the
   *                   server has not loaded the mod. `outdated`: the interface of the NPC plugin is
   *                   older than version 4. Null if the site can use the mod.
   *               enables:
   *                 type: array
   *                 items: { type: string }
   *                 description: Event actions and features of the site that require this mod.
   *                 example: [survival.zone.open, survival.zone.close]
   */
  defineRoute({
    method: "get",
    path: "/api/v1/admin/survival/servers/:id/integrations",
    gate: "roles:admin",
    set: "core",
    tag: "Survival staff",
    summary: "List the optional mods of a survival server",
    description:
      "Asks the game server which optional mods it has loaded, and returns the mods with the " +
      "features that each mod enables. If the server does not respond, the response contains the " +
      "last known list and `online: false`, and no mod is `usable`. 404 `not_found` if the " +
      "server is unknown.",
    params: rowIdParams,
    answers: { 200: "SurvivalIntegrations", 404: "Error" },
    handle: (input, context) => readIntegrations(input.params.id, requestIdOf(input), context),
  }),
];
