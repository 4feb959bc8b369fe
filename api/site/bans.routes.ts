import Joi from "joi";

import { listBans } from "../../shared/auth/throttle/bot-score.ts";
import { liftBan } from "../../shared/auth/throttle/lift-ban.ts";
import { route } from "../http/route.ts";
import { viewBan } from "./views.ts";

export const bansRoutes = [
  route({
    method: "get",
    path: "/api/v1/admin/bans",
    gate: "roles:admin",
    set: "additive",
    tag: "Users",
    summary: "Addresses that are banned now",
    answers: { 200: { enveloped: "bans", shape: { listOf: "Ban" } } },
    handle: async (_input, context) => ({ bans: (await listBans(context)).map(viewBan) }),
  }),
  route({
    method: "delete",
    path: "/api/v1/admin/bans/:ip",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Lift a ban",
    description: "Takes the text of the list, URL-encoded. What led to the ban is forgotten.",
    params: Joi.object<{ ip: string }, true>({
      ip: Joi.string().max(64).required().description("As the list names it."),
    }),
    answers: { 200: "LiftedBan" },
    handle: async ({ params: { ip }, caller }, context) => ({
      ip,
      removed: await liftBan(ip, caller, context),
    }),
  }),
];
