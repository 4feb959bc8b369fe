import { readPublicStatus } from "../../shared/site/public-status.ts";
import { defineRoute } from "../http/route.ts";

export const siteStatusRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     PublicStatus:
   *       type: object
   *       additionalProperties: false
   *       required: [site_mode, status_message, changed_at, version, capabilities, shard, survival, time]
   *       properties:
   *         site_mode: { $ref: '#/components/schemas/SiteMode' }
   *         status_message: { type: string, nullable: true }
   *         changed_at: { type: string, format: date-time, nullable: true }
   *         version: { type: string }
   *         capabilities:
   *           type: array
   *           description: >-
   *             Names of the capabilities of this release. Clients should check this list for a name
   *             instead of comparing versions.
   *           items: { type: string, example: events }
   *         shard:
   *           type: object
   *           additionalProperties: false
   *           required: [enabled, status]
   *           properties:
   *             enabled: { type: boolean }
   *             status: { $ref: '#/components/schemas/LinkStatus' }
   *         survival:
   *           type: object
   *           additionalProperties: false
   *           required: [servers, online]
   *           properties:
   *             servers: { type: integer, description: Number of listed survival servers. }
   *             online: { type: integer, description: Number of listed survival servers on which players can play now. }
   *         time: { type: string, format: date-time }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/public/status",
    gate: "public",
    set: "core",
    tag: "Site",
    summary: "Retrieve the site status",
    description:
      "Returns the site mode, the release and the state of the links to the game servers. The " +
      "operation works in every site mode and while game servers are down, so it is suitable as " +
      "a health check.",
    answers: { 200: "PublicStatus" },
    keepMs: 500,
    revalidate: true,
    handle: (_input, context) => readPublicStatus(context),
  }),
];
