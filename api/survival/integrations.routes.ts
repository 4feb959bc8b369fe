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
    summary: "List the optional mods of a survival server",
    description:
      "Asks the game server which optional mods it has loaded, and returns them with the " +
      "features that each mod enables. If the server does not respond, the response contains the " +
      "last known list and `online: false`, and no mod is `usable`. 404 `not_found` if the " +
      "server is unknown.",
    params: byId,
    answers: { 200: "SurvivalIntegrations", 404: "Error" },
    handle: (input, context) => readIntegrations(input.params.id, requestIdOf(input), context),
  }),
];
