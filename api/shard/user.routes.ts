import Joi from "joi";

import { missing } from "../../shared/errors.ts";
import { unlinkAccount } from "../../shared/shard/links/link-account.ts";
import { findLink, readLinksOf } from "../../shared/shard/owners/own-links.ts";
import { readOffices } from "../../shared/shard/players/offices.ts";
import { readSalesOf } from "../../shared/shard/players/sales.ts";
import { readHousesOf } from "../../shared/shard/public/houses.ts";
import { readOnlinePlayers } from "../../shared/shard/public/presence.ts";
import { findUser } from "../auth/find-user.ts";
import { byId, idParam } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { accountField, salesQuery } from "./fields.ts";
import { orderOf } from "./order.ts";

const common = {
  gate: "roles:admin",
  set: "core",
  tag: "Shard staff",
  params: byId,
  find: findUser,
} as const;

/** What the shard has to do with one user of the site. */
export const userRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/shard/accounts",
    summary: "A user's linked game accounts",
    answers: { 200: { listOf: "ShardLink" }, 404: "Error" },
    handle: ({ params }, context) => readLinksOf(params.id, context),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/shard/houses",
    summary: "A user's houses, those in danger of collapsing first",
    answers: { 200: { listOf: "ShardHouse" }, 404: "Error" },
    handle: ({ params }, context) => readHousesOf(params.id, context),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/shard/online",
    summary: "A user's characters in the world",
    answers: { 200: { listOf: "OnlinePlayer" }, 404: "Error" },
    handle: ({ params }, context) => readOnlinePlayers(context, params.id),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/shard/sales",
    summary: "What a user's vendors sold, newest first",
    query: salesQuery,
    answers: { 200: { listOf: "VendorSale" }, 404: "Error" },
    handle: ({ params, query }, context) => readSalesOf(params.id, query.limit, context),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/shard/standing",
    summary: "Cities a user's characters govern and guilds they lead",
    answers: { 200: "Standing", 404: "Error" },
    handle: ({ params }, context) => readOffices(params.id, context),
  }),
  route({
    ...common,
    method: "delete",
    path: "/api/v1/admin/users/:id/shard/link/:account",
    summary: "Unlink a user's game account",
    description: "The shard refuses it for accounts of the game's own staff.",
    params: Joi.object<{ id: number; account: string }, true>({
      id: idParam,
      account: accountField().required().description("A game account, in any case."),
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
      if (!link) throw missing("The game account is not linked to this user");
      return link;
    },
    handle: (input, context) => {
      const { params, found } = input;
      const linked = { userId: params.id, account: found.account };
      return unlinkAccount(linked, orderOf(input), context);
    },
  }),
];
