import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { type AtlasQuery, readAtlas } from "../../shared/shard/atlas/search/read-atlas.ts";
import { limitField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";

const text = () => Joi.string().max(64).empty("");
const coordinate = () => Joi.number().integer().min(-65_536).max(65_536).empty("");

/** `x1,y1,x2,y2`, with numbers in plain digits. */
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
      "which the name, the region or the type of a creature contains the text. Case is ignored.",
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
  /**
   * @openapi
   * components:
   *   schemas:
   *     AtlasPage:
   *       type: object
   *       additionalProperties: false
   *       required: [facets, facet, regions, spawns, total, limit, offset, importedAt]
   *       properties:
   *         facets: { type: array, items: { $ref: '#/components/schemas/AtlasFacet' } }
   *         facet: { type: string, nullable: true, description: Name of the facet that was read. Null if the response is only the summary. }
   *         regions: { type: array, items: { $ref: '#/components/schemas/AtlasRegion' } }
   *         spawns: { type: array, items: { $ref: '#/components/schemas/AtlasSpawn' } }
   *         total:
   *           type: integer
   *           description: >-
   *             Number of matching spawners on all pages. 0 if the response is only the summary.
   *         limit: { type: integer }
   *         offset: { type: integer }
   *         importedAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: When the atlas was last imported. Null before the first import.
   *     AtlasFacet:
   *       type: object
   *       additionalProperties: false
   *       required: [name, regions, rects, spawners, entries, total]
   *       properties:
   *         name: { type: string, example: Felucca }
   *         regions: { type: integer }
   *         rects: { type: integer, description: Number of boxes in all regions. }
   *         spawners: { type: integer }
   *         entries: { type: integer, description: Number of creature entries in all spawners. }
   *         total: { type: integer, description: Number of creatures that can be alive at the same time. }
   *     AtlasRegion:
   *       type: object
   *       additionalProperties: false
   *       required: [key, name, type, parent, level, priority, rects, go, entrance, music, rune, guarded, housing, logoutDelay, minExpansion, maxExpansion, area]
   *       properties:
   *         key: { type: string }
   *         name: { type: string, nullable: true }
   *         type: { type: string, nullable: true, example: TownRegion }
   *         parent: { type: string, nullable: true, description: Name of the region that contains this region. Null if no region contains it. }
   *         level: { type: integer, description: 'Nesting level: the number of regions that contain this region.' }
   *         priority:
   *           type: integer
   *           description: >-
   *             Priority of the region. Where regions overlap, the region with the highest priority
   *             applies.
   *         rects: { type: array, items: { $ref: '#/components/schemas/AtlasRect' } }
   *         go: { $ref: '#/components/schemas/AtlasPoint' }
   *         entrance: { $ref: '#/components/schemas/AtlasPoint' }
   *         music: { type: string, nullable: true, description: Music that the game client plays in the region. }
   *         rune: { type: string, nullable: true, description: Name that a rune receives when a player marks it in the region. }
   *         guarded: { type: boolean, description: Whether guards protect players in the region. }
   *         housing: { type: boolean, description: Whether players may place houses in the region. }
   *         logoutDelay:
   *           type: boolean
   *           description: >-
   *             Whether a character in the region stays in the game for some time after its player
   *             disconnects.
   *         minExpansion:
   *           type: string
   *           nullable: true
   *           description: >-
   *             First expansion of the game that contains the region. Null if all earlier
   *             expansions contain the region.
   *         maxExpansion:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Last expansion of the game that contains the region. Null if all later expansions
   *             contain the region.
   *         area: { type: number, description: Number of tiles in all boxes of the region. }
   *     AtlasRect:
   *       type: object
   *       description: 'A box in tiles: x1 ≤ x < x2 and y1 ≤ y < y2.'
   *       required: [x1, y1, x2, y2]
   *       properties:
   *         x1: { type: integer }
   *         y1: { type: integer }
   *         x2: { type: integer }
   *         y2: { type: integer }
   *         z1: { type: integer, description: Lowest height of the box. Present only for boxes of regions. }
   *         z2: { type: integer, description: Highest height of the box. Present only for boxes of regions. }
   *     AtlasPoint:
   *       type: object
   *       nullable: true
   *       required: [x, y, z]
   *       properties:
   *         x: { type: integer }
   *         y: { type: integer }
   *         z: { type: integer }
   *         map:
   *           type: string
   *           description: >-
   *             Facet of the point. Present only if the point is an entrance, which may be on another
   *             facet than the region.
   *     AtlasSpawn:
   *       type: object
   *       additionalProperties: false
   *       required: [key, name, x, y, z, rect, homeRange, walkRange, count, minDelaySec, maxDelaySec, running, region, entries]
   *       properties:
   *         key: { type: string }
   *         name: { type: string, nullable: true }
   *         x: { type: integer }
   *         y: { type: integer }
   *         z: { type: integer }
   *         rect: { $ref: '#/components/schemas/AtlasRectOrNull' }
   *         homeRange:
   *           type: integer
   *           description: >-
   *             Maximum distance from the spawner at which creatures appear, in tiles. Applies only
   *             if `rect` is null.
   *         walkRange:
   *           type: integer
   *           description: Maximum distance that creatures walk from the spawner, in tiles.
   *         count: { type: integer, description: Number of creatures that can be alive at the same time. }
   *         minDelaySec:
   *           type: number
   *           description: Shortest time until the next creature appears, in seconds.
   *         maxDelaySec:
   *           type: number
   *           description: Longest time until the next creature appears, in seconds.
   *         running: { type: boolean, description: Whether the spawner is active. }
   *         region:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Region that contains the spawner. Null if the spawner is outside all regions.
   *         entries: { type: array, items: { $ref: '#/components/schemas/AtlasEntry' } }
   *     AtlasRectOrNull:
   *       oneOf:
   *         - $ref: '#/components/schemas/AtlasRect'
   *         - { type: object, nullable: true, enum: [null] }
   *     AtlasEntry:
   *       type: object
   *       additionalProperties: false
   *       required: [type, max, probability, status, body, art]
   *       properties:
   *         type: { type: string, example: Orc }
   *         max: { type: integer, description: Number of creatures of the type that can be alive at the same time. }
   *         probability:
   *           type: number
   *           nullable: true
   *           description: >-
   *             Probability that the spawner creates this creature type, as the source states it.
   *             Null if the source states no probability.
   *         status: { $ref: '#/components/schemas/BodyStatus' }
   *         body:
   *           type: integer
   *           nullable: true
   *           description: Body id (graphic id) of the creature. Null unless `status` is `ok`.
   *         art:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Key of the picture for `/public/assets/{key}`, which requires the audience of the
   *             feature `market`. A picture that an operator chose takes precedence over the picture
   *             of the body. Null if there is no picture.
   *           example: body:17
   */
  defineRoute({
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
