import Joi from "joi";

import { limits } from "../../shared/limits.ts";

/** A form sends its empty fields along: they ask for nothing. */
const text = () => Joi.string().empty("");
const whole = () => Joi.number().integer().min(0).empty("");

/** What listings are searched by, at once and by searches that are saved. */
export const marketFilters = {
  q: text().max(limits.marketTerm).description("Part of a name, in any case."),
  minPrice: whole().description("In coins."),
  maxPrice: whole().description("Below `minPrice`: nothing matches."),
  itemId: whole().max(0x7fff_ffff).description("Art id."),
  map: text()
    .max(limits.marketMap)
    .description("A facet; one that holds no vendor matches nothing."),
  region: text()
    .max(limits.marketRegion)
    .description("A region; one that holds no vendor matches nothing."),
};
