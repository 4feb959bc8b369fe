import Joi from "joi";

import { serial } from "../../shared/platform/bridge/serial.ts";
import { limits } from "../../shared/platform/limits.ts";
import { type MarketQuery, type Sort, sortOrders } from "../../shared/shard/market/filters.ts";
import { readMarketMeta } from "../../shared/shard/market/meta.ts";
import { searchMarket } from "../../shared/shard/market/search.ts";
import { readVendor, requireVendor } from "../../shared/shard/market/vendor.ts";
import { limitField, offsetField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { marketFilters } from "./market-filters.ts";
import { callerMaySee } from "./may-see.ts";

const searchQuery = Joi.object<MarketQuery, true>({
  ...marketFilters,
  sort: Joi.string<Sort>()
    .valid(...(Object.keys(sortOrders) as Sort[]))
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
  route({
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
      searchMarket(query, callerMaySee("market", caller, context), context),
  }),
  route({
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
      readMarketMeta(callerMaySee("market", caller, context), context),
  }),
  route({
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
      serial: serial()
        .required()
        .description("Serial of the vendor. The case of its hexadecimal digits is ignored."),
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
      readVendor(params.serial, query, callerMaySee("market", caller, context), context),
  }),
];
