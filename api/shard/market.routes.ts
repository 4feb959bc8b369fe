import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { type MarketQuery, type Sort, sortOrders } from "../../shared/shard/market/filters.ts";
import { readMarketMeta } from "../../shared/shard/market/meta.ts";
import { searchMarket } from "../../shared/shard/market/search.ts";
import { readVendor, requireVendor } from "../../shared/shard/market/vendor.ts";
import { serial } from "../../shared/shard/values/serial.ts";
import { limitField, offsetField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { marketFilters } from "./market-filters.ts";
import { callerMaySee } from "./may-see.ts";

const searchQuery = Joi.object<MarketQuery, true>({
  ...marketFilters,
  sort: Joi.string<Sort>()
    .valid(...(Object.keys(sortOrders) as Sort[]))
    .default("price_asc")
    .description("`recent` is by when a listing was put up or last changed. Ties go by serial."),
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
    summary: "Search what player vendors sell",
    description:
      "One page of the listings that match, and the exact number of all. Whoever may not see where vendors stand may not ask by `map` or `region` either: 403.",
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
    summary: "How large and how fresh the market is, and where it is held",
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
    summary: "One vendor and what it sells, cheapest first",
    description: "A vendor that is unknown, dismissed or hidden is 404.",
    params: Joi.object<{ serial: string }, true>({
      serial: serial().required().description("Of the vendor, in any case."),
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
