import { createShardKey, deleteShardKeys } from "../../shared/shard/staff/plugin-key.ts";
import { createServerKey, deleteServerKeys } from "../../shared/survival/servers/plugin-key.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { byId } from "../http/fields.ts";
import { route } from "../http/route.ts";

const common = { gate: "roles:admin", set: "additive", confirms: true } as const;
const ofShard = { ...common, tag: "Shard staff" } as const;
const ofServer = {
  ...common,
  tag: "Survival staff",
  params: byId,
  find: ({ params }: { params: { id: number } }, context: ApiContext) =>
    findServer(params.id, context),
} as const;

const making =
  "Returns the key, the address that the plugin calls, and the line to type on the game server. " +
  "The key is never returned again. A former key ends at the first call by the new one, 24 hours " +
  "later at the latest; a key before that one ends now. 409 `link_kind` if the link is of another " +
  "kind.";

const ending =
  "Ends all keys of the link: open waits of the plugin get 401 within a second. 404 if there is " +
  "none.";

/** Keys by which plugins of game servers call the site. */
export const pluginKeyRoutes = [
  route({
    ...ofShard,
    method: "post",
    path: "/api/v1/admin/shardlink/plugin-key",
    summary: "Make a key for the shard's plugin",
    description: `${making} The activity log records it as \`shardlink.key.create\`.`,
    answers: { 201: "NewPluginKey", 409: "Error" },
    handle: async ({ caller }, context) => answer(201, await createShardKey(caller, context)),
  }),
  route({
    ...ofShard,
    method: "delete",
    path: "/api/v1/admin/shardlink/plugin-key",
    summary: "End the keys of the shard's plugin",
    description: `${ending} The activity log records it as \`shardlink.key.delete\`.`,
    answers: { 200: "EndedPluginKeys", 404: "Error" },
    handle: async ({ caller }, context) => ({ ended: await deleteShardKeys(caller, context) }),
  }),
  route({
    ...ofServer,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/plugin-key",
    summary: "Make a key for the plugin of a survival server",
    description: `${making} The activity log records it as \`survival.server.key.create\`.`,
    answers: { 201: "NewPluginKey", 404: "Error", 409: "Error" },
    handle: async ({ params, caller }, context) =>
      answer(201, await createServerKey(params.id, caller, context)),
  }),
  route({
    ...ofServer,
    method: "delete",
    path: "/api/v1/admin/survival/servers/:id/plugin-key",
    summary: "End the keys of the plugin of a survival server",
    description: `${ending} The activity log records it as \`survival.server.key.delete\`.`,
    answers: { 200: "EndedPluginKeys", 404: "Error" },
    handle: async ({ params, caller }, context) => ({
      ended: await deleteServerKeys(params.id, caller, context),
    }),
  }),
];
