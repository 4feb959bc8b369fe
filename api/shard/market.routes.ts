import Joi from "joi";

import { serialField } from "../../shared/platform/bridge/serial.ts";
import { limits } from "../../shared/platform/limits.ts";
import { type MarketQuery, type SortOrder, sortOrders } from "../../shared/shard/market/filters.ts";
import { readMarketMeta } from "../../shared/shard/market/meta.ts";
import { searchMarket } from "../../shared/shard/market/search.ts";
import { readVendor, requireVendor } from "../../shared/shard/market/vendor.ts";
import { limitField, offsetField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { marketFilters } from "./market-filters.ts";
import { createCallerFieldCheck } from "./may-see.ts";

const searchQuery = Joi.object<MarketQuery, true>({
  ...marketFilters,
  sort: Joi.string<SortOrder>()
    .valid(...(Object.keys(sortOrders) as SortOrder[]))
    .default("price_asc")
    .description(
      "Sort order. `price_asc`: cheapest first. `price_desc`: most expensive first. `recent`: " +
        "most recently added or changed first. Listings with the same price or time are sorted " +
        "by serial. Default: `price_asc`.",
    ),
  limit: limitField(limits.marketPage),
  offset: offsetField,
});

export const marketRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     MarketPage:
   *       type: object
   *       additionalProperties: false
   *       required: [listings, total, limit, offset, vendors, staleAt]
   *       properties:
   *         listings: { type: array, items: { $ref: '#/components/schemas/MarketListing' } }
   *         total: { type: integer, description: Number of matching listings on all pages. }
   *         limit: { type: integer }
   *         offset: { type: integer }
   *         vendors: { type: integer, description: 'Number of vendors on the whole market, with or without matching listings.' }
   *         staleAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: >-
   *             The oldest `updatedAt` of all vendors on the market. Null if there are no vendors.
   *     MarketListing:
   *       type: object
   *       additionalProperties: false
   *       required: [serial, itemId, hue, amount, price, name, cliloc, displayName, child, vendor]
   *       properties:
   *         serial: { type: string, example: '0x40001A2B' }
   *         itemId: { type: integer, description: Id of the item's graphic in the game client. }
   *         hue:
   *           type: integer
   *           description: Color number (hue) of the item in the game. 0 is the item's default color.
   *         amount: { type: integer, description: Number of items in the stack that is for sale. }
   *         price: { type: integer, description: Price of the listing in coins. }
   *         name:
   *           type: string
   *           nullable: true
   *           description: Name that a player gave the item. Null if no player has named the item.
   *         cliloc:
   *           type: integer
   *           nullable: true
   *           description: >-
   *             Number of the client text (cliloc) that is the item's name. Null if the shard does
   *             not report it.
   *         displayName:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Displayed name: `name` or, if `name` is null, the client text with the number
   *             `cliloc`. Null if this client text is not loaded.
   *         child:
   *           type: boolean
   *           description: >-
   *             Whether the item is in a container that is for sale as a whole. `price` is then the
   *             price of the container.
   *         vendor: { $ref: '#/components/schemas/ListingVendor' }
   *     ListingVendor:
   *       type: object
   *       additionalProperties: false
   *       required: [serial, shopName, updatedAt]
   *       properties:
   *         serial: { type: string, example: '0x0000A001' }
   *         shopName: { type: string, nullable: true }
   *         ownerSerial:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Serial of the vendor's owner. Absent for callers below the audience of the field rule
   *             `ownerSerial`.
   *         ownerName:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Name of the vendor's owner. Absent for callers below the audience of the field rule
   *             `ownerName`.
   *         location: { $ref: '#/components/schemas/MarketLocation' }
   *         updatedAt:
   *           type: string
   *           format: date-time
   *           description: >-
   *             When the service last received the data of the vendor from the shard, even if the
   *             data was unchanged.
   *     MarketLocation:
   *       type: object
   *       nullable: true
   *       description: >-
   *         Location of the vendor. Null if the shard does not report it. Absent for callers below
   *         the audience that the field rule `location` sets.
   *       additionalProperties: false
   *       required: [map, x, y, z, region, house]
   *       properties:
   *         map: { $ref: '#/components/schemas/FacetName' }
   *         x: { $ref: '#/components/schemas/Coordinate' }
   *         y: { $ref: '#/components/schemas/Coordinate' }
   *         z: { $ref: '#/components/schemas/Coordinate' }
   *         region: { $ref: '#/components/schemas/RegionName' }
   *         house:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Text on the sign of the house in which the vendor is. Null if the vendor is not in a
   *             house.
   */
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/market",
    gate: "feature:market",
    set: "core",
    tag: "Shard",
    summary: "Search the listings of player vendors",
    description:
      "Returns one page of the listings that match every filter. `total` is the exact number of " +
      "matching listings on all pages. The data comes from the service's own database, so it is " +
      "also available while the shard is down. `location`, `ownerSerial` and `ownerName` are " +
      "left out for callers below the audience that their field rules set. A request with `map` " +
      "or `region` is 403 `feature_locked` for callers below the audience of the field rule " +
      "`location`. 429 `rate_limited` after too many searches from the caller's IP address.",
    query: searchQuery,
    revalidate: true,
    keepMs: 0,
    limiters: ["market"],
    answers: { 200: "MarketPage" },
    handle: ({ query, caller }, context) =>
      searchMarket(query, createCallerFieldCheck("market", caller, context), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     MarketMeta:
   *       type: object
   *       additionalProperties: false
   *       required: [vendors, items, staleAt, freshAt]
   *       properties:
   *         vendors: { type: integer, description: Number of vendors on the market. }
   *         items: { type: integer, description: Number of listings on the market. }
   *         staleAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: >-
   *             The oldest `updatedAt` of all vendors on the market. Null if there are no vendors.
   *         freshAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: >-
   *             The newest `updatedAt` of all vendors on the market. Null if there are no vendors.
   *         maps:
   *           type: array
   *           description: >-
   *             Facets that have vendors. Absent for callers below the audience of the field rule
   *             `location`.
   *           items: { type: string }
   *         regions:
   *           type: array
   *           description: >-
   *             Regions that have vendors. Absent for callers below the audience of the field rule
   *             `location`.
   *           items: { type: string }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/market/meta",
    gate: "feature:market",
    set: "core",
    tag: "Shard",
    summary: "Get the totals of the market",
    description:
      "Returns the number of vendors, the number of listings, the oldest and the newest update " +
      "time of all vendors, and the facets and regions that have vendors. `maps` and `regions` " +
      "are left out for callers below the audience of the field rule `location`.",
    revalidate: true,
    keepMs: 0,
    answers: { 200: "MarketMeta" },
    handle: ({ caller }, context) =>
      readMarketMeta(createCallerFieldCheck("market", caller, context), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     MarketVendor:
   *       type: object
   *       additionalProperties: false
   *       required: [serial, shopName, updatedAt, count, total, truncated, items]
   *       properties:
   *         serial: { type: string, example: '0x0000A001' }
   *         shopName: { type: string, nullable: true }
   *         ownerSerial:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Serial of the vendor's owner. Absent for callers below the audience of the field rule
   *             `ownerSerial`.
   *         ownerName:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Name of the vendor's owner. Absent for callers below the audience of the field rule
   *             `ownerName`.
   *         location: { $ref: '#/components/schemas/MarketLocation' }
   *         updatedAt:
   *           type: string
   *           format: date-time
   *           description: >-
   *             When the service last received the data of the vendor from the shard, even if the
   *             data was unchanged.
   *         count: { type: integer, description: 'Number of the vendor''s listings, that is, of items that are for sale.' }
   *         total:
   *           type: integer
   *           description: >-
   *             Number of all items that the vendor has. Items that are not for sale count as well.
   *         truncated: { type: boolean, description: Whether `total` is greater than `count`. }
   *         items: { type: array, items: { $ref: '#/components/schemas/MarketListing' } }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/market/vendors/:serial",
    gate: "feature:market",
    set: "core",
    tag: "Shard",
    summary: "Get a vendor with its listings",
    description:
      "Returns the vendor and one page of its listings, cheapest first. 404 `not_found` if the " +
      "vendor is unknown, was dismissed or is hidden. `location`, `ownerSerial` and `ownerName` " +
      "are left out for callers below the audience that their field rules set.",
    params: Joi.object<{ serial: string }, true>({
      serial: serialField()
        .required()
        .description("Serial of the vendor. The case of the hexadecimal digits is ignored."),
    }),
    query: Joi.object<{ limit: number; offset: number }, true>({
      limit: limitField(limits.vendorPage),
      offset: offsetField,
    }),
    revalidate: true,
    keepMs: 0,
    answers: { 200: "MarketVendor" },
    find: ({ params }, context) => requireVendor(params.serial, context),
    handle: ({ params, query, caller }, context) =>
      readVendor(params.serial, query, createCallerFieldCheck("market", caller, context), context),
  }),
];
