import Joi from "joi";

import { limits } from "../../shared/limits.ts";

/** A form sends its empty fields along: they ask for nothing. */
const text = () => Joi.string().empty("");
const whole = () => Joi.number().integer().min(0).empty("");

/** What listings are searched by, at once and by searches that are saved. */
export const marketFilters = {
  q: text().max(limits.marketTerm).description("Part of the displayed name, in any case."),
  minPrice: whole().description("Lowest price, in coins."),
  maxPrice: whole().description("Highest price, in coins. Nothing matches below `minPrice`."),
  itemId: whole().max(0x7fff_ffff).description("Art id of the item."),
  map: text()
    .max(limits.marketMap)
    .description(
      "Facet, spelled as in `maps` of the market's totals. Nothing matches a facet without " +
        "vendors.",
    ),
  region: text()
    .max(limits.marketRegion)
    .description(
      "Region, spelled as in `regions` of the market's totals. Nothing matches a region without " +
        "vendors.",
    ),
};
