import { readCharacter, readRoster, readVendors } from "../../shared/shard/players/characters.ts";
import { readSalesOf } from "../../shared/shard/players/sales.ts";
import { readHousesOf } from "../../shared/shard/public/houses.ts";
import { defineRoute } from "../http/route.ts";
import { accountParam, salesQuery, serialParam } from "./fields.ts";
import { createCharacterReader } from "./order.ts";
import { addAdminAliases } from "./own-paths.ts";

const common = { gate: "auth", set: "core", tag: "Shard player" } as const;
const fromShard = { 403: "Error", 404: "Error", 502: "Error", 503: "Error" };
const whose =
  "Callers can read only game accounts that are linked to them. Under the path `/admin/shard`, " +
  "administrators can read every game account.";
const asks =
  "The service asks the shard for the data: 503 `shard_unavailable` while the shard cannot be " +
  "reached.";

export const ownRoutes = [
  ...addAdminAliases([
    /**
     * @openapi
     * components:
     *   schemas:
     *     CharacterSheet:
     *       type: object
     *       additionalProperties: false
     *       required: [serial, name, account, title, race, female, stats, resists, skills, fame, karma,
     *         kills, guild, virtues, equipment]
     *       properties:
     *         serial: { type: string }
     *         name: { type: string }
     *         account: { type: string, description: Name of the game account. }
     *         title: { type: string, nullable: true }
     *         race: { type: string, nullable: true }
     *         female: { type: boolean }
     *         stats:
     *           type: object
     *           description: Value of each stat, by the name of the stat.
     *           additionalProperties: { type: number }
     *         resists:
     *           type: object
     *           description: Resistances in percent, by kind of damage.
     *           additionalProperties: { type: number }
     *         skills:
     *           type: array
     *           items:
     *             type: object
     *             additionalProperties: false
     *             required: [name, value, cap, lock]
     *             properties:
     *               name: { type: string }
     *               value: { type: number, description: 'In tenths of a point: 1000 is 100.0 points.' }
     *               cap: { type: number, description: 'In tenths of a point: 1000 is 100.0 points.' }
     *               lock:
     *                 type: string
     *                 description: >-
     *                   Whether the skill can rise, can fall or is locked, as the shard reports it.
     *         fame: { type: integer }
     *         karma: { type: integer }
     *         kills: { type: integer, description: Number of murders that the character has committed. }
     *         guild: { type: string, nullable: true }
     *         virtues:
     *           type: object
     *           description: Points of each virtue, by the name of the virtue.
     *           additionalProperties: { type: number }
     *         equipment:
     *           type: array
     *           items:
     *             type: object
     *             additionalProperties: false
     *             required: [layer, itemId, hue, name, cliloc]
     *             properties:
     *               layer: { type: string, description: Place on the body where the item is worn. }
     *               itemId: { type: integer, description: Id of the item's graphic in the game client. }
     *               hue: { type: integer, description: Color number (hue) in the game. }
     *               name:
     *                 type: string
     *                 nullable: true
     *                 description: >-
     *                   Name that a player gave the item. Null if no player has named the item.
     *               cliloc:
     *                 type: integer
     *                 nullable: true
     *                 description: >-
     *                   Number of the client text (cliloc) that is the item's name. Null if the shard
     *                   does not report it.
     */
    defineRoute({
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
      handle: (input, context) =>
        readCharacter(input.params.serial, createCharacterReader(input), context),
    }),
    /**
     * @openapi
     * components:
     *   schemas:
     *     Roster:
     *       type: object
     *       additionalProperties: false
     *       required: [account, characters]
     *       properties:
     *         account: { type: string }
     *         characters:
     *           type: array
     *           items:
     *             type: object
     *             additionalProperties: false
     *             required: [serial, name, race, female, guild, map, online, lastLogin]
     *             properties:
     *               serial: { type: string }
     *               name: { type: string }
     *               race: { type: string, nullable: true }
     *               female: { type: boolean }
     *               guild: { type: string, nullable: true }
     *               map: { type: string, nullable: true }
     *               online: { type: boolean }
     *               lastLogin: { type: string, format: date-time, nullable: true }
     */
    defineRoute({
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
      handle: (input, context) =>
        readRoster(input.params.account, createCharacterReader(input), context),
    }),
    /**
     * @openapi
     * components:
     *   schemas:
     *     OwnVendors:
     *       type: object
     *       additionalProperties: false
     *       required: [account, vendors]
     *       properties:
     *         account: { type: string }
     *         vendors:
     *           type: array
     *           items:
     *             type: object
     *             description: A vendor of the game account.
     *             additionalProperties: false
     *             required: [serial, shopName, location, gold, chargePerDay, items]
     *             properties:
     *               serial: { type: string }
     *               shopName: { type: string, nullable: true }
     *               location:
     *                 type: object
     *                 nullable: true
     *                 description: >-
     *                   Location of the vendor. Null if the shard does not report it. Fields that the
     *                   shard does not report are absent.
     *                 properties:
     *                   map: { type: string }
     *                   x: { type: integer }
     *                   y: { type: integer }
     *                   z: { type: integer }
     *                   region: { type: string, nullable: true }
     *                   house:
     *                     type: string
     *                     nullable: true
     *                     description: Text on the sign of the house in which the vendor is.
     *               gold: { type: integer, description: 'Gold that the vendor holds, in coins.' }
     *               chargePerDay:
     *                 type: number
     *                 nullable: true
     *                 description: >-
     *                   Daily charge of the vendor in coins. Null for a vendor that works on
     *                   commission.
     *               items:
     *                 description: >-
     *                   Number of the vendor's items, or list of the items. The shard decides
     *                   whether this is a number or a list.
     *                 oneOf:
     *                   - { type: integer }
     *                   - { type: array, items: { type: object, additionalProperties: true } }
     */
    defineRoute({
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
      handle: (input, context) =>
        readVendors(input.params.account, createCharacterReader(input), context),
    }),
    /**
     * @openapi
     * components:
     *   schemas:
     *     VendorSale:
     *       type: object
     *       additionalProperties: false
     *       required: [t, itemType, amount, price, commission, ownerAcct]
     *       properties:
     *         t: { type: integer, description: 'Time of the sale, in epoch milliseconds.' }
     *         itemType:
     *           type: string
     *           description: Name of the item's class in the game's source code.
     *           example: Katana
     *         amount: { type: integer }
     *         price: { type: integer, description: Price of the sold items in coins. }
     *         commission:
     *           type: integer
     *           nullable: true
     *           description: >-
     *             Commission that the vendor kept, in coins. Null if the shard does not report it.
     *         ownerAcct: { type: string, description: Game account to which the vendor belongs. }
     */
    defineRoute({
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
  defineRoute({
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
