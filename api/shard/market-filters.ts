import Joi from "joi";

import { limits } from "../../shared/limits.ts";

/** A form sends its empty fields along: they ask for nothing. */
const text = () => Joi.string().empty("");
const whole = () => Joi.number().integer().min(0).empty("");

/** What listings are searched by, at once and by searches that are saved. */
export const marketFilters = {
  q: text().max(limits.marketTerm).description("Part of the displayed name. Case is ignored."),
  minPrice: whole().description("Lowest price, in coins."),
  maxPrice: whole().description(
    "Highest price, in coins. If it is below `minPrice`, nothing matches.",
  ),
  itemId: whole().max(0x7fff_ffff).description("Id of the item's graphic in the game client."),
  map: text()
    .max(limits.marketMap)
    .description(
      "Facet, spelled as in `maps` of `GET /public/shard/market/meta`. For a facet without " +
        "vendors, nothing matches.",
    ),
  region: text()
    .max(limits.marketRegion)
    .description(
      "Region, spelled as in `regions` of `GET /public/shard/market/meta`. For a region without " +
        "vendors, nothing matches.",
    ),
};
