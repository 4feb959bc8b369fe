import { createShardKey, deleteShardKeys } from "../../shared/shard/staff/plugin-key.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import {
  createReportKey,
  createServerKey,
  deleteReportKey,
  deleteServerKeys,
} from "../../shared/survival/servers/server-keys.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer } from "../http/answer.ts";
import { rowIdParams } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";

const common = { gate: "roles:admin", set: "additive", confirms: true } as const;
const ofShard = { ...common, tag: "Shard staff" } as const;
const ofServer = {
  ...common,
  tag: "Survival staff",
  params: rowIdParams,
  find: ({ params }: { params: { id: number } }, context: ApiContext) =>
    findServer(params.id, context),
} as const;

const making =
  "Returns the key, the URL that the plugin calls, and the command to type on the game server. " +
  "The key is shown only once. The previous key stays valid until the plugin first uses the new " +
  "key, but for 24 hours at most. If an even older key is still valid, it stops working " +
  "immediately. 409 `link_kind` if the link is not of the kind `plugin`.";

const ending =
  "Revokes all keys of the link. A request of the plugin that is waiting for commands ends with " +
  "401 within a second. 404 `not_found` if the link has no valid key.";

export const pluginKeyRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     NewPluginKey:
   *       type: object
   *       additionalProperties: false
   *       required: [key, url, command]
   *       properties:
   *         key:
   *           type: string
   *           description: The key, shown only once. The site stores only the hash of the key.
   *           example: ghk_Zr0Yh3l4bq2vXkUq1b8d0y5m7n9p2s4t6v8x0z1c3e5
   *         url:
   *           type: string
   *           description: URL under which the plugin calls the site.
   *           example: https://example.org/api/v1/plugin
   *         command:
   *           type: string
   *           description: >-
   *             Command to type on the game server. The command contains the URL and the key.
   *           example: guildhall.setup https://example.org/api/v1/plugin ghk_Zr0Yh3l4bq2vXkUq1b8d0y5m7n9p2s4t6v8x0z1c3e5
   */
  defineRoute({
    ...ofShard,
    method: "post",
    path: "/api/v1/admin/shardlink/plugin-key",
    summary: "Create a key for the shard's plugin",
    description: `${making} The activity log records the request as \`shardlink.key.create\`.`,
    answers: { 201: "NewPluginKey", 409: "Error" },
    handle: async ({ caller }, context) => createAnswer(201, await createShardKey(caller, context)),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     EndedPluginKeys:
   *       type: object
   *       additionalProperties: false
   *       required: [ended]
   *       properties:
   *         ended: { type: integer, description: Number of keys that were valid and are now revoked., example: 1 }
   */
  defineRoute({
    ...ofShard,
    method: "delete",
    path: "/api/v1/admin/shardlink/plugin-key",
    summary: "Revoke the keys of the shard's plugin",
    description: `${ending} The activity log records the request as \`shardlink.key.delete\`.`,
    answers: { 200: "EndedPluginKeys", 404: "Error" },
    handle: async ({ caller }, context) => ({ ended: await deleteShardKeys(caller, context) }),
  }),
  defineRoute({
    ...ofServer,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/plugin-key",
    summary: "Create a key for a survival server's plugin",
    description: `${making} The activity log records the request as \`survival.server.key.create\`.`,
    answers: { 201: "NewPluginKey", 404: "Error", 409: "Error" },
    handle: async ({ params, caller }, context) =>
      createAnswer(201, await createServerKey(params.id, caller, context)),
  }),
  defineRoute({
    ...ofServer,
    method: "delete",
    path: "/api/v1/admin/survival/servers/:id/plugin-key",
    summary: "Revoke the keys of a survival server's plugin",
    description: `${ending} The activity log records the request as \`survival.server.key.delete\`.`,
    answers: { 200: "EndedPluginKeys", 404: "Error" },
    handle: async ({ params, caller }, context) => ({
      ended: await deleteServerKeys(params.id, caller, context),
    }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     NewReportKey:
   *       type: object
   *       additionalProperties: false
   *       required: [key, url, commands]
   *       properties:
   *         key:
   *           type: string
   *           description: The key, shown only once. The site stores only the hash of the key.
   *           example: ghr_Zr0Yh3l4bq2vXkUq1b8d0y5m7n9p2s4t6v8x0z1c3e5
   *         url:
   *           type: string
   *           description: URL to which the game sends the reports. It contains the key.
   *           example: https://example.org/api/v1/plugin/reports/ghr_Zr0Yh3l4bq2vXkUq1b8d0y5m7n9p2s4t6v8x0z1c3e5
   *         commands:
   *           type: array
   *           description: Lines to type in the console of the game server.
   *           items: { type: string }
   *           example:
   *             - server.reportsServerEndpoint "https://example.org/api/v1/plugin/reports/ghr_Zr0Yh3l4bq2vXkUq1b8d0y5m7n9p2s4t6v8x0z1c3e5"
   *             - server.writecfg
   */
  defineRoute({
    ...ofServer,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/report-key",
    summary: "Create a key for the reports of a survival server",
    description:
      "Returns the key, the URL to which the game sends the reports of its players, and the lines " +
      "to type in the console of the game server. The key is shown only once and authorizes only " +
      "these reports. The previous key stops working immediately. The operation works for every kind of " +
      "link. The activity log records the request as `survival.server.report-key.create`.",
    answers: { 201: "NewReportKey", 404: "Error" },
    handle: async ({ params, caller }, context) =>
      createAnswer(201, await createReportKey(params.id, caller, context)),
  }),
  defineRoute({
    ...ofServer,
    method: "delete",
    path: "/api/v1/admin/survival/servers/:id/report-key",
    summary: "Delete the key for the reports of a survival server",
    description:
      "Deletes the report key. Reports that the game sends with the key are refused from now on. " +
      "The activity log records the request as `survival.server.report-key.delete`. 404 " +
      "`not_found` if the server has no report key.",
    answers: { 200: "DeletedId", 404: "Error" },
    handle: async ({ params, caller }, context) => {
      await deleteReportKey(params.id, caller, context);
      return { id: params.id };
    },
  }),
];
