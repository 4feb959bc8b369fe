import Joi from "joi";

import { pluginNamePattern } from "../../shared/survival/config/plugin-files.ts";
import { findServer, type ServerRecord } from "../../shared/survival/servers/read-servers.ts";
import type { ApiContext } from "../context.ts";
import { idParam } from "../http/fields.ts";
import { requestIdOf } from "../shard/order.ts";

export const configRouteOptions = {
  gate: "roles:admin",
  set: "additive",
  tag: "Survival staff",
} as const;

export const pluginField = Joi.string()
  .pattern(pluginNamePattern)
  .messages({
    "string.pattern.base": "{{#label}} must be at most 64 letters, digits and underscores",
  })
  .description("Name of the plugin, as `GET /admin/survival/config/{serverId}` returns it.");

export const serverIdParams = { serverId: idParam.description("Id of the survival server.") };

interface ByServer {
  readonly params: { readonly serverId: number };
}

export const findRouteServer = ({ params }: ByServer, context: ApiContext) =>
  findServer(params.serverId, context);

type ConfigRequest = Parameters<typeof requestIdOf>[0] & { readonly found: ServerRecord };

export const toConfigRequest = (asked: ConfigRequest) => ({
  ...asked.found,
  requestId: requestIdOf(asked),
});
