import Joi from "joi";

import { linkAccountByCode } from "../../shared/shard/links/link-account.ts";
import { readAllLinks, readLinksOf } from "../../shared/shard/owners/own-links.ts";
import { defineRoute } from "../http/route.ts";
import { linkCodeField } from "./fields.ts";
import { createCommandRequest, createCharacterReader } from "./order.ts";
import { addAdminAliases } from "./own-paths.ts";

export const linksRoutes = addAdminAliases([
  /**
   * @openapi
   * components:
   *   schemas:
   *     ShardLinkResult:
   *       $ref: '#/components/schemas/ShardLink'
   *     ShardLink:
   *       type: object
   *       additionalProperties: false
   *       required: [account, linkedAt]
   *       properties:
   *         account: { type: string }
   *         linkedAt: { type: string, format: date-time }
   */
  defineRoute({
    method: "post",
    path: "/api/v1/player/shard/link",
    gate: "auth",
    set: "core",
    tag: "Shard player",
    summary: "Link a game account by its one-time code",
    description:
      "Redeems the code that the game showed to the player, and links the player's game account " +
      "to the caller. From then on, the caller belongs at least to the audience `player`. 400 " +
      "`invalid_link_code` if the code is unknown, used or expired, 409 " +
      "`account_linked_elsewhere` if the account is linked to another user, 429 `rate_limited` " +
      "after too many attempts. After a 502 or 503, the account may or may not have been linked: " +
      "repeat the request with the same `Idempotency-Key`.",
    limiters: ["linkCode", "linkCodeAddress"],
    body: Joi.object<{ code: string }, true>({
      code: linkCodeField,
    }).meta({ component: "ShardLinkRequest" }),
    takes: ["Idempotency-Key"],
    answers: { 200: "ShardLinkResult", 403: "Error", 409: "Error", 502: "Error", 503: "Error" },
    handle: (input, context) =>
      linkAccountByCode(input.body.code, createCommandRequest(input), context),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/player/shard/accounts",
    gate: "auth",
    set: "core",
    tag: "Shard player",
    summary: "List the linked game accounts",
    description:
      "Returns the game accounts that are linked to the caller, in the order in which they were " +
      "linked. Under the path `/admin/shard`, administrators receive the linked game accounts of " +
      "all users.",
    answers: { 200: { listOf: "ShardLink" } },
    handle: (input, context) =>
      createCharacterReader(input).readsAny
        ? readAllLinks(context)
        : readLinksOf(input.caller.userId, context),
  }),
]);
