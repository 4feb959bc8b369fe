import Joi from "joi";

import { linkSteamByCode, unlinkSteam } from "../../shared/survival/links/link-steam.ts";
import { readLinkedAccounts } from "../../shared/survival/steam-links.ts";
import { createAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { linkCodeField } from "../shard/fields.ts";
import { createCommandRequest } from "../shard/order.ts";
import { steamIdParam } from "./fields.ts";

const common = { gate: "auth", set: "additive", tag: "Survival" } as const;

export const steamLinksRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SteamLink:
   *       type: object
   *       additionalProperties: false
   *       required: [steamId, name, linkedAt, server]
   *       properties:
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         linkedAt: { type: string, format: date-time }
   *         server:
   *           type: object
   *           nullable: true
   *           description: Survival server that issued the code. Null if the server was deleted.
   *           additionalProperties: false
   *           required: [id, name]
   *           properties:
   *             id: { type: integer }
   *             name: { type: string }
   *     SteamId:
   *       type: string
   *       description: >-
   *         SteamID64 of a Steam account. A SteamID64 is a string because the number is too large
   *         for a JSON number.
   *       pattern: ^7656119\d{10}$
   *       example: '76561198012345678'
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/player/survival/link",
    summary: "List the caller's linked Steam accounts",
    description:
      "Returns all Steam accounts that the caller has linked, in the order in which they were " +
      "linked.",
    answers: { 200: { enveloped: "links", shape: { listOf: "SteamLink" } } },
    handle: async ({ caller }, context) => ({
      links: await readLinkedAccounts(caller.userId, context),
    }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SteamLinked:
   *       type: object
   *       additionalProperties: false
   *       required: [steamId, name, linkedAt]
   *       properties:
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         linkedAt: { type: string, format: date-time }
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/player/survival/link",
    summary: "Link a Steam account with a code from the game",
    description:
      "Links the Steam account for which a survival server issued the code. The service verifies " +
      "the code with this server. A user may link several Steam accounts. If the account is " +
      "already linked to the caller, only its name and server are updated. If the same code is " +
      "sent again before it expires, the response contains the same link. The activity log " +
      "records the request as `survival.link.created`.\n\n400 `invalid_link_code` if the code is " +
      "unknown, used or expired. 409 `account_linked_elsewhere` if another user has linked the " +
      "Steam account; the code is then used up. 503 `shard_unavailable` if the server does not " +
      "respond or no server is connected: send the same code again after `Retry-After` seconds. " +
      "429 `rate_limited` after too many wrong codes from the user or from the IP address. A " +
      "code that is refused with 409, or with 503 because no server is connected, counts as a " +
      "wrong code.",
    body: Joi.object<{ code: string }, true>({
      code: linkCodeField,
    }).example({ code: "KWXRTB" }),
    answers: { 201: "SteamLinked", 409: "Error", 429: "Error", 503: "Error" },
    handle: async (input, context) =>
      createAnswer(
        201,
        await linkSteamByCode(input.body.code, createCommandRequest(input), context),
      ),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SteamUnlinked:
   *       type: object
   *       additionalProperties: false
   *       required: [steamId, unlinked]
   *       properties:
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         unlinked: { type: boolean, example: true, description: Always true. }
   */
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/player/survival/link/:steamId",
    summary: "Unlink a Steam account",
    description:
      "Removes the link. Also revokes all permissions and group memberships that were granted to " +
      "the user, including those for the user's other Steam accounts. Grants that were made only " +
      "for a Steam account, and not for the user, are not revoked. The activity log records the " +
      "request as `survival.link.removed`. 404 `not_found` if the account is not linked to the " +
      "caller or was already unlinked.",
    params: Joi.object<{ steamId: string }, true>({ steamId: steamIdParam }),
    answers: { 200: "SteamUnlinked", 404: "Error" },
    handle: (input, context) =>
      unlinkSteam(input.params.steamId, createCommandRequest(input), context),
  }),
];
