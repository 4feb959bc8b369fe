import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { readClan, readClanBoard } from "../../shared/survival/clans/clans.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import { rowIdParams, limitField, offsetField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";

const common = { gate: "public", set: "core", tag: "Survival", method: "get", keepMs: 0 } as const;

export const clansRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     ClanBoard:
   *       type: object
   *       additionalProperties: false
   *       required: [clans, total, ceiling, complete, updatedAt]
   *       properties:
   *         clans: { type: array, items: { $ref: '#/components/schemas/Clan' } }
   *         total: { type: integer, description: Number of clans on all pages. }
   *         ceiling:
   *           type: integer
   *           example: 100
   *           description: Maximum number of clans that the game ranks.
   *         complete:
   *           type: boolean
   *           description: >-
   *             Whether the game reported all of its clans. If false, there may be clans that the
   *             service does not know.
   *         updatedAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: When the game created its ranking of clans. Null before the first ranking.
   *     Clan:
   *       type: object
   *       additionalProperties: false
   *       required:
   *         - externalId
   *         - serverId
   *         - clanId
   *         - createdAt
   *         - name
   *         - color
   *         - logoHash
   *         - score
   *         - rank
   *         - memberCount
   *         - firstSeenAt
   *         - lastSeenAt
   *         - disbandedAt
   *       properties:
   *         externalId:
   *           type: string
   *           example: '3-17-1764542400'
   *           description: >-
   *             Permanent id of the clan. The id is unique across all servers and all databases of
   *             a game.
   *         serverId: { type: integer }
   *         clanId:
   *           type: string
   *           example: '17'
   *           description: >
   *             Id of the clan in the game. The game may reuse the id for another clan after its
   *             database is recreated.
   *         createdAt:
   *           type: string
   *           example: '1764542400'
   *           description: >-
   *             When the clan was created, as the game reports it. Because the game chooses the unit,
   *             use the value only for comparisons.
   *         name: { type: string, example: Night Owls }
   *         color: { type: string, nullable: true, example: '#3a6ea5' }
   *         logoHash: { type: string, nullable: true, description: Always null. }
   *         score:
   *           description: >-
   *             Score of the clan in the game. A string if the number is too large for a JSON number.
   *             Null while unknown.
   *           oneOf: [{ type: integer, nullable: true }, { type: string }]
   *         rank:
   *           type: integer
   *           nullable: true
   *           description: >-
   *             Rank of the clan in the game's ranking. Null if the game does not rank the clan.
   *         memberCount: { type: integer }
   *         onlineCount:
   *           type: integer
   *           nullable: true
   *           description: >-
   *             Number of members who are on the server. 0 while the server is offline, null while
   *             unknown. Absent for callers below the audience `roster` or `presence`.
   *         leader:
   *           type: object
   *           nullable: true
   *           description: >-
   *             Leader of the clan: the member with the highest role. If several members have this
   *             role, the member who joined first. Null while unknown. Absent for callers below the
   *             audience `roster`.
   *           additionalProperties: false
   *           required: [steamId, name]
   *           properties:
   *             steamId: { $ref: '#/components/schemas/SteamId' }
   *             name: { type: string }
   *         motd:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Message of the clan to its members. Present only in the response about a single clan,
   *             and only if the caller is a member of the clan or belongs to staff.
   *         firstSeenAt:
   *           type: string
   *           format: date-time
   *           description: When the game first reported the clan.
   *         lastSeenAt:
   *           type: string
   *           format: date-time
   *           description: When the game last reported the clan.
   *         disbandedAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: When the clan was disbanded. Null while the clan exists.
   */
  defineRoute({
    ...common,
    path: "/api/v1/public/survival/servers/:id/clans",
    summary: "List the clans of a survival server",
    description:
      "Returns the clans that have not been disbanded, in the order of the game's own ranking. " +
      "The game ranks at most 100 clans. All other known clans follow, with a `rank` of null. " +
      "Callers below the audience `roster` do not receive `leader` and `onlineCount`; callers " +
      "below the audience `presence` do not receive `onlineCount`. The operation also works " +
      "while the server is offline. 404 `not_found` if the server is unknown or not listed.",
    params: rowIdParams,
    query: Joi.object<{ limit: number; offset: number }, true>({
      limit: limitField(limits.clanPage),
      offset: offsetField,
    }),
    answers: { 200: "ClanBoard", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: ({ found, query, caller }, context) => readClanBoard(found, query, caller, context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     ClanPage:
   *       type: object
   *       additionalProperties: false
   *       required: [clan, members, hidden, audience]
   *       properties:
   *         clan: { $ref: '#/components/schemas/Clan' }
   *         members:
   *           type: array
   *           description: >-
   *             Members of the clan, sorted by role, highest role first. Empty if `hidden` is true.
   *           items: { $ref: '#/components/schemas/ClanMember' }
   *         hidden:
   *           type: boolean
   *           description: >-
   *             Whether the members are hidden from the caller because the caller is below
   *             `audience`.
   *         audience: { $ref: '#/components/schemas/Rung' }
   *     ClanMember:
   *       type: object
   *       additionalProperties: false
   *       required: [steamId, name, roleId, role, roleRank, joinedAt]
   *       properties:
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         roleId: { type: integer, nullable: true }
   *         role: { type: string, nullable: true, example: Leader }
   *         roleRank:
   *           type: integer
   *           nullable: true
   *           description: Rank of the member's role. The lowest number is the highest role.
   *         joinedAt: { type: string, format: date-time, nullable: true }
   *         lastSeenAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: >
   *             When the member was last on the server. Absent for callers below the audience
   *             `presence`.
   *         online:
   *           type: boolean
   *           nullable: true
   *           description: >
   *             Whether the member is on the server. Null while unknown. Absent for callers below the
   *             audience `presence`.
   */
  defineRoute({
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
