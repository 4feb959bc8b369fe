import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";

/** HTML forms send empty fields, which mean "no filter". */
const text = () => Joi.string().empty("");
const whole = () => Joi.number().integer().min(0).empty("");

/** The filters of listings, for searches and for saved searches. */
export const marketFilters = {
  q: text()
    .max(limits.marketTerm)
    .description("Text that the displayed name of a listing must contain. Case is ignored."),
  minPrice: whole().description("Lowest price of a listing, in coins."),
  maxPrice: whole().description(
    "Highest price of a listing, in coins. If `maxPrice` is lower than `minPrice`, no listing " +
      "matches.",
  ),
  itemId: whole().max(0x7fff_ffff).description("Id of the item's graphic in the game client."),
  map: text()
    .max(limits.marketMap)
    .description(
      "Facet on which the vendor is, spelled as in `maps` of `GET /public/shard/market/meta`. If " +
        "the facet has no vendors, no listing matches.",
    ),
  region: text()
    .max(limits.marketRegion)
    .description(
      "Region in which the vendor is, spelled as in `regions` of `GET " +
        "/public/shard/market/meta`. If the region has no vendors, no listing matches.",
    ),
};
