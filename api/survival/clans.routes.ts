import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
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
      "The game ranks at most 100 clans. All other known clans follow, with a `rank` of null. " +
      "Callers below the audience `roster` do not receive `leader` and `onlineCount`; callers " +
      "below the audience `presence` do not receive `onlineCount`. The operation also works " +
      "while the server is offline. 404 `not_found` if the server is unknown or not listed.",
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
      "Returns a clan with its members, even if it has been disbanded. Callers below the " +
      "audience `roster` receive `hidden: true`, but no members and no leader. Callers below the " +
      "audience `presence` do not see who is online. Only members of the clan and staff receive " +
      "`motd`. 404 `not_found` if the clan is unknown, or if its server is not listed.",
    params: Joi.object<{ externalId: string }, true>({
      externalId: Joi.string()
        .required()
        .description("Id of the clan, as responses return it in `externalId`."),
    }),
    anyText: ["externalId"],
    answers: { 200: "ClanPage", 404: "Error" },
    handle: ({ params: { externalId }, caller }, context) => readClan(externalId, caller, context),
  }),
];
