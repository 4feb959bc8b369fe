import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { readClan, readClanBoard } from "../../shared/survival/clans/clans.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import { byId, limitField, offsetField } from "../http/fields.ts";
import { route } from "../http/route.ts";

const common = { gate: "public", set: "core", tag: "Survival", method: "get", keepMs: 0 } as const;

/** Clans as the game itself keeps them. */
export const clansRoutes = [
  route({
    ...common,
    path: "/api/v1/public/survival/servers/:id/clans",
    summary: "The clans of a server",
    description:
      "As the game ranks them. It names a hundred at the most: a clan that such a board leaves out may " +
      "live on. Nobody of them is online while the server is off.",
    params: byId,
    query: Joi.object<{ limit: number; offset: number }, true>({
      limit: limitField(limits.clanPage),
      offset: offsetField,
    }),
    answers: { 200: "ClanBoard", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: ({ found, query, caller }, context) => readClanBoard(found, query, caller, context),
  }),
  route({
    ...common,
    path: "/api/v1/public/survival/clans/:externalId",
    summary: "A clan",
    description:
      "Who is in it is shown to the audience that the site sets, with `hidden: true` below it.",
    params: Joi.object<{ externalId: string }, true>({
      externalId: Joi.string().required().description("As the board names it."),
    }),
    anyText: ["externalId"],
    answers: { 200: "ClanPage", 404: "Error" },
    handle: ({ params: { externalId }, caller }, context) => readClan(externalId, caller, context),
  }),
];
