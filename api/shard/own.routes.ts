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
  "Callers can read only game accounts that are linked to them. Under the path `/admin/shard`, " +
  "administrators can read every game account.";
const asks =
  "The service asks the shard for the data: 503 `shard_unavailable` while the shard cannot be " +
  "reached.";

/** What the shard and our tables know of the caller's own game accounts. */
export const ownRoutes = [
  ...alsoUnderAdmin([
    route({
      ...common,
      method: "get",
      path: "/api/v1/player/shard/char/:serial",
      summary: "Get the sheet of a character",
      description:
        `Returns the character's stats, skills, virtues and equipment. ${whose} 403 ` +
        "`account_not_linked` if the character is unknown or does not belong to a game account " +
        "of the caller. Under `/admin/shard`, the answer is 404 `not_found` if the character is " +
        `unknown. ${asks}`,
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
        `Returns the characters of the game account. ${whose} 403 \`account_not_linked\` if the ` +
        "account is not linked to the caller, 404 `unknown_to_shard` if the shard does not know " +
        `the account. ${asks}`,
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
        `Returns the vendors of the game account, with their locations and items. ${whose} 403 ` +
        "`account_not_linked` if the account is not linked to the caller, 404 `unknown_to_shard` " +
        `if the shard does not know the account. ${asks}`,
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
        "Returns the sales of the vendors that belong to the caller's linked game accounts, " +
        "newest first. The service deletes sales after a year (by default).",
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
      "Returns the houses of the game accounts that are linked to the caller. Houses in danger " +
      "of collapsing come first. All other houses follow, sorted by name. The data comes from " +
      "the service's own database, so it is also available while the shard is down.",
    answers: { 200: { listOf: "ShardHouse" } },
    handle: ({ caller }, context) => readHousesOf(caller.userId, context),
  }),
];
