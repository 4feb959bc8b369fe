import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { type AtlasQuery, readAtlas } from "../../shared/shard/atlas/search/read-atlas.ts";
import { limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";

const text = () => Joi.string().max(64).empty("");
const coordinate = () => Joi.number().integer().min(-65_536).max(65_536).empty("");

/** `x1,y1,x2,y2`, each number as it is written in one way alone. */
const box = Joi.string().custom((given: string, helpers): number[] | Joi.ErrorReport => {
  const numbers = given.split(",").map(Number);
  const isBox = numbers.length === 4 && numbers.every((one) => Math.abs(one) <= 65_536);
  if (isBox && numbers.every(Number.isInteger) && numbers.join(",") === given) return numbers;
  return helpers.message({ custom: "{{#label}} must be four whole numbers: x1,y1,x2,y2" });
});

const filters = {
  region: text().description(
    "Name of a region. Returns only this region and the spawners in it. Case is ignored.",
  ),
  creature: text().description(
    "Type of a creature. Returns only spawners that spawn this creature, and regions with such a " +
      "spawner. Case is ignored.",
  ),
  x: coordinate().description(
    "X coordinate of a point in tiles; `y` is required as well. Returns only regions that " +
      "contain the point, and spawners whose area contains the point.",
  ),
  y: coordinate().description("Y coordinate of the point in tiles. Required if `x` is present."),
  bbox: box
    .empty("")
    .description(
      "Box `x1,y1,x2,y2` in whole tiles; `x2` and `y2` are exclusive. Returns only regions that " +
        "overlap the box, and spawners that are inside the box.",
    ),
  q: text().description(
    "Text to search for. Returns only regions whose name contains the text, and spawners for " +
      "which the name, the region or the type of a creature contains it. Case is ignored.",
  ),
};

const atlasQuery = Joi.object<AtlasQuery, true>({
  facet: text().description(
    "Name of the facet to read. Case is ignored. Required if the request contains any filter. If " +
      "absent, the response contains only the summary of all facets.",
  ),
  ...filters,
  limit: limitField(limits.atlasPage).description(
    "Maximum number of spawners to return. Default: 100. Maximum: 1,000.",
  ),
  offset: Joi.number()
    .integer()
    .min(0)
    .max(0x7fff_ffff)
    .default(0)
    .description("Number of spawners to skip before the first returned spawner. Default: 0."),
})
  .and("x", "y")
  .with("region", "facet")
  .with("creature", "facet")
  .with("x", "facet")
  .with("bbox", "facet")
  .with("q", "facet")
  .messages({
    "object.and": "x and y are required together",
    "object.with": "{{#peer}} is required with {{#main}}",
  });

export const atlasRoutes = [
  route({
    method: "get",
    path: "/api/v1/public/atlas",
    gate: "feature:atlas",
    set: "core",
    tag: "Shard",
    summary: "Read the spawn atlas",
    description:
      "Returns all facets with their counts. If `facet` is present, the response also contains " +
      "the regions of this facet that match the other parameters (at most 1,000), and one page " +
      "of the matching spawners. 404 `not_found` if the atlas does not contain the facet.",
    query: atlasQuery,
    answers: { 200: "AtlasPage" },
    keepMs: 500,
    handle: ({ query }, context) => readAtlas(query, context),
  }),
];
