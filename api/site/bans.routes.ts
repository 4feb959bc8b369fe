import Joi from "joi";

import { listBans, liftBan } from "../../shared/auth/throttle/bot-score.ts";
import { defineRoute } from "../http/route.ts";
import { viewBan } from "./views.ts";

export const bansRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/admin/bans",
    gate: "roles:admin",
    set: "additive",
    tag: "Users",
    summary: "List the banned IP addresses",
    description:
      "Returns the active bans of IP addresses and networks. The ban that ends last comes first.",
    answers: { 200: { enveloped: "bans", shape: { listOf: "Ban" } } },
    handle: async (_input, context) => ({ bans: (await listBans(context)).map(viewBan) }),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/admin/bans/:ip",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Lift a ban",
    description:
      "Send `ip` as `GET /admin/bans` returns it, URL-encoded. Or send a single IP address to " +
      "lift every ban that includes this address. The operation also resets the bot score and " +
      "the number of consecutive bans of each unbanned address or network. `removed` is false if " +
      "no ban matched. A client can safely repeat the request.",
    params: Joi.object<{ ip: string }, true>({
      ip: Joi.string()
        .max(64)
        .required()
        .description("The `ip` of a ban, or an IP address that bans include."),
    }),
    answers: { 200: "LiftedBan" },
    handle: async ({ params: { ip }, caller }, context) => ({
      ip,
      removed: await liftBan(ip, caller, context),
    }),
  }),
];
