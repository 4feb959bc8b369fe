import { readCharacter, readRoster, readVendors } from "../../shared/shard/players/characters.ts";
import { readSalesOf } from "../../shared/shard/players/sales.ts";
import { readHousesOf } from "../../shared/shard/public/houses.ts";
import { route } from "../http/route.ts";
import { accountParam, salesQuery, serialParam } from "./fields.ts";
import { readerOf } from "./order.ts";
import { alsoUnderAdmin } from "./own-paths.ts";

const common = { gate: "auth", set: "core", tag: "Shard player" } as const;
const fromShard = { 403: "Error", 404: "Error", 502: "Error", 503: "Error" };
const whose =
  "Under `/admin/shard` an administrator may read any account; all other callers may read only " +
  "their own.";
const asks = "Asks the shard: 503 `shard_unavailable` while it cannot be reached.";

/** What the shard and our tables know of the caller's own game accounts. */
export const ownRoutes = [
  ...alsoUnderAdmin([
    route({
      ...common,
      method: "get",
      path: "/api/v1/player/shard/char/:serial",
      summary: "Get the sheet of a character",
      description:
        `${whose} 403 \`account_not_linked\` for another user's character and for an unknown ` +
        "one alike; where any account may be read, 404 `not_found` for an unknown one. " +
        asks,
      params: serialParam,
      answers: { 200: "CharacterSheet", ...fromShard },
      handle: (input, context) => readCharacter(input.params.serial, readerOf(input), context),
    }),
    route({
      ...common,
      method: "get",
      path: "/api/v1/player/shard/roster/:account",
      summary: "List the characters of a game account",
      description:
        `${whose} 403 \`account_not_linked\` for an account that is not linked to the caller, ` +
        `404 \`unknown_to_shard\` for one that the shard does not know. ${asks}`,
      params: accountParam,
      answers: { 200: "Roster", ...fromShard },
      handle: (input, context) => readRoster(input.params.account, readerOf(input), context),
    }),
    route({
      ...common,
      method: "get",
      path: "/api/v1/player/shard/vendors/:account",
      summary: "List the vendors of a game account",
      description:
        `${whose} 403 \`account_not_linked\` for an account that is not linked to the caller, ` +
        `404 \`unknown_to_shard\` for one that the shard does not know. ${asks}`,
      params: accountParam,
      answers: { 200: "OwnVendors", ...fromShard },
      handle: (input, context) => readVendors(input.params.account, readerOf(input), context),
    }),
    route({
      ...common,
      method: "get",
      path: "/api/v1/player/shard/sales",
      summary: "List the sales of the caller's vendors",
      description:
        "Returns the sales of vendors of the game accounts that are linked to the caller now, " +
        "the newest first. Sales are deleted after a year by default.",
      query: salesQuery,
      answers: { 200: { listOf: "VendorSale" } },
      handle: ({ caller, query }, context) => readSalesOf(caller.userId, query.limit, context),
    }),
  ]),
  route({
    ...common,
    method: "get",
    path: "/api/v1/player/shard/houses",
    summary: "List the caller's houses",
    description:
      "Returns the houses of the caller's game accounts, those in danger of collapsing first, " +
      "then by name. The service's own tables answer, also while the shard is down.",
    answers: { 200: { listOf: "ShardHouse" } },
    handle: ({ caller }, context) => readHousesOf(caller.userId, context),
  }),
];
