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
    summary: "List the clans of a survival server",
    description:
      "Returns the clans that have not been disbanded, in the order of the game's own ranking. " +
      "The game ranks at most 100 clans; other known clans come last, with `rank` null. Callers " +
      "below the audience `roster` do not get `leader` and `onlineCount`, and callers below " +
      "`presence` do not get `onlineCount`. Works while the server is offline, too. 404 for a " +
      "server that is not listed.",
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
    summary: "Get a clan with its members",
    description:
      "Returns a clan, even if it has been disbanded. Callers below the audience `roster` get " +
      "`hidden: true`, no members and no leader; callers below `presence` do not see who is " +
      "online. Only members and staff get `motd`. 404 for an unknown clan or a clan of a server " +
      "that is not listed.",
    params: Joi.object<{ externalId: string }, true>({
      externalId: Joi.string().required().description("`externalId` of the clan."),
    }),
    anyText: ["externalId"],
    answers: { 200: "ClanPage", 404: "Error" },
    handle: ({ params: { externalId }, caller }, context) => readClan(externalId, caller, context),
  }),
];
