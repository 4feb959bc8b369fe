import { readIntegrations } from "../../shared/survival/integrations/read-integrations.ts";
import { byId } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { requestIdOf } from "../shard/order.ts";

export const integrationsRoutes = [
  route({
    method: "get",
    path: "/api/v1/admin/survival/servers/:id/integrations",
    gate: "roles:admin",
    set: "core",
    tag: "Survival staff",
    summary: "Which optional mods a survival server has loaded, asked now",
    description: "Also answered while the server is off, by what it said last.",
    params: byId,
    answers: { 200: "SurvivalIntegrations", 404: "Error" },
    handle: (input, context) => readIntegrations(input.params.id, requestIdOf(input), context),
  }),
];
