import Joi from "joi";

import { notFoundError } from "../../shared/platform/errors/errors.ts";
import { unlinkAccount } from "../../shared/shard/links/link-account.ts";
import { findLink, readLinksOf } from "../../shared/shard/owners/own-links.ts";
import { readPlayerOffices } from "../../shared/shard/players/offices.ts";
import { readSalesOf } from "../../shared/shard/players/sales.ts";
import { readHousesOf } from "../../shared/shard/public/houses.ts";
import { readOnlinePlayers } from "../../shared/shard/public/presence.ts";
import { findUser } from "../auth/find-user.ts";
import { rowIdParams, idParam } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { accountField, salesQuery } from "./fields.ts";
import { createCommandRequest } from "./order.ts";

const common = {
  gate: "roles:admin",
  set: "core",
  tag: "Shard staff",
  params: rowIdParams,
  find: findUser,
} as const;

export const userRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/shard/accounts",
    summary: "List a user's linked game accounts",
    description:
      "Returns the game accounts that are linked to the user, in the order in which they were " +
      "linked. 404 `not_found` if the user is unknown.",
    answers: { 200: { listOf: "ShardLink" }, 404: "Error" },
    handle: ({ params }, context) => readLinksOf(params.id, context),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/shard/houses",
    summary: "List a user's houses",
    description:
      "Returns the houses of the game accounts that are linked to the user. Houses in danger of " +
      "collapsing come first. All other houses follow, sorted by name. 404 `not_found` if the " +
      "user is unknown.",
    answers: { 200: { listOf: "ShardHouse" }, 404: "Error" },
    handle: ({ params }, context) => readHousesOf(params.id, context),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/shard/online",
    summary: "List a user's characters that are online",
    description:
      "Returns the user's characters that are in the game now, with their locations, sorted by " +
      "name. The list is empty while the game process is down. 404 `not_found` if the user is " +
      "unknown.",
    answers: { 200: { listOf: "OnlinePlayer" }, 404: "Error" },
    handle: ({ params }, context) => readOnlinePlayers(context, params.id),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/shard/sales",
    summary: "List the sales of a user's vendors",
    description:
      "Returns the sales of the vendors that belong to the user's linked game accounts, newest " +
      "first. The service deletes sales after a year (by default). 404 `not_found` if the user " +
      "is unknown.",
    query: salesQuery,
    answers: { 200: { listOf: "VendorSale" }, 404: "Error" },
    handle: ({ params, query }, context) => readSalesOf(params.id, query.limit, context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     Standing:
   *       type: object
   *       additionalProperties: false
   *       required: [governorOf, guildsLed]
   *       properties:
   *         governorOf: { type: array, description: Names of the cities that the user's characters govern., items: { type: string } }
   *         guildsLed:
   *           type: array
   *           items:
   *             type: object
   *             additionalProperties: false
   *             required: [guildId, name, abbr]
   *             properties:
   *               guildId: { type: integer }
   *               name: { type: string, nullable: true }
   *               abbr: { type: string, nullable: true, description: Abbreviation of the guild. }
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/shard/standing",
    summary: "List the cities and guilds that a user leads",
    description:
      "Returns the cities that the user's characters govern, and the guilds that the user's " +
      "characters lead. 404 `not_found` if the user is unknown.",
    answers: { 200: "Standing", 404: "Error" },
    handle: ({ params }, context) => readPlayerOffices(params.id, context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     AccountUnlinked:
   *       type: object
   *       additionalProperties: false
   *       required: [account, unlinked]
   *       properties:
   *         account: { type: string }
   *         unlinked: { type: boolean, description: Whether the shard removed the link. False if the link no longer existed on the shard. }
   */
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/admin/users/:id/shard/link/:account",
    summary: "Unlink a user's game account",
    description:
      "Removes the link on the shard and on the site. The activity log records the command as " +
      "`shard.unlink`. 403 `protected_target` for an account of the game's staff, 403 " +
      "`own_account` if the account is linked to the caller and is banned, 404 `not_found` if " +
      "the account is not linked to the user or was already unlinked. After a 502 or 503, the " +
      "link may or may not have been removed: repeat the request with the same `Idempotency-Key`.",
    params: Joi.object<{ id: number; account: string }, true>({
      id: idParam.description("Id of the user."),
      account: accountField().required().description("Name of the game account. Case is ignored."),
    }),
    takes: ["Idempotency-Key"],
    answers: {
      200: "AccountUnlinked",
      403: "Error",
      404: "Error",
      409: "Error",
      429: "Error",
      502: "Error",
      503: "Error",
    },
    find: async (input, context) => {
      await findUser(input, context);
      const { id, account } = input.params;
      const link = await findLink(id, account, context);
      if (!link) throw notFoundError("The game account is not linked to this user");
      return link;
    },
    handle: (input, context) => {
      const { params, found } = input;
      const linked = { userId: params.id, account: found.account };
      return unlinkAccount(linked, createCommandRequest(input), context);
    },
  }),
];
