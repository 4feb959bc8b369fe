import { readCharacter, readRoster, readVendors } from "../../shared/shard/players/characters.ts";
import { readSalesOf } from "../../shared/shard/players/sales.ts";
import { readHousesOf } from "../../shared/shard/public/houses.ts";
import { route } from "../http/route.ts";
import { accountParam, salesQuery, serialParam } from "./fields.ts";
import { readerOf } from "./order.ts";
import { alsoUnderAdmin } from "./own-paths.ts";

const common = { gate: "auth", set: "core", tag: "Shard player" } as const;
const fromShard = { 403: "Error", 404: "Error", 502: "Error", 503: "Error" };
const whose = "On the path of staff an administrator reads any; everyone else reads their own.";

/** What the shard and our tables know of the caller's own game accounts. */
export const ownRoutes = [
  ...alsoUnderAdmin([
    route({
      ...common,
      method: "get",
      path: "/api/v1/player/shard/char/:serial",
      summary: "Sheet of a character",
      description: `${whose} A player gets the same 403 for an unknown character as for somebody else's.`,
      params: serialParam,
      answers: { 200: "CharacterSheet", ...fromShard },
      handle: (input, context) => readCharacter(input.params.serial, readerOf(input), context),
    }),
    route({
      ...common,
      method: "get",
      path: "/api/v1/player/shard/roster/:account",
      summary: "Characters of a game account",
      description: whose,
      params: accountParam,
      answers: { 200: "Roster", ...fromShard },
      handle: (input, context) => readRoster(input.params.account, readerOf(input), context),
    }),
    route({
      ...common,
      method: "get",
      path: "/api/v1/player/shard/vendors/:account",
      summary: "Player vendors of a game account",
      description: whose,
      params: accountParam,
      answers: { 200: "OwnVendors", ...fromShard },
      handle: (input, context) => readVendors(input.params.account, readerOf(input), context),
    }),
    route({
      ...common,
      method: "get",
      path: "/api/v1/player/shard/sales",
      summary: "What the caller's vendors sold, newest first",
      query: salesQuery,
      answers: { 200: { listOf: "VendorSale" } },
      handle: ({ caller, query }, context) => readSalesOf(caller.userId, query.limit, context),
    }),
  ]),
  route({
    ...common,
    method: "get",
    path: "/api/v1/player/shard/houses",
    summary: "The caller's houses, those in danger of collapsing first",
    answers: { 200: { listOf: "ShardHouse" } },
    handle: ({ caller }, context) => readHousesOf(caller.userId, context),
  }),
];
