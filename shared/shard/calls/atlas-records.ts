import Joi from "joi";

import { count, flag, listOf, text, textOrNull, whole } from "../values/answer-parts.ts";

/**
 * Half-open: x1 ≤ x < x2.
 *
 * @openapi
 * components:
 *   schemas:
 *     AtlasRect:
 *       type: object
 *       description: 'A box in tiles: x1 ≤ x < x2 and y1 ≤ y < y2.'
 *       required: [x1, y1, x2, y2]
 *       properties:
 *         x1: { type: integer }
 *         y1: { type: integer }
 *         x2: { type: integer }
 *         y2: { type: integer }
 *         z1: { type: integer, description: Lowest height. Only boxes of regions have heights. }
 *         z2: { type: integer, description: Highest height. }
 */
export interface AtlasRect {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

export interface AtlasBox extends AtlasRect {
  readonly z1: number;
  readonly z2: number;
}

/**
 * @openapi
 * components:
 *   schemas:
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
 *             Only of an entrance: the facet that it lies on, which may be another one.
 */
export interface AtlasPoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * A region of a facet. Facets are an open set of names.
 *
 * @openapi
 * components:
 *   schemas:
 *     AtlasRegion:
 *       type: object
 *       additionalProperties: false
 *       required: [key, name, type, parent, level, priority, rects, go, entrance, music, rune, guarded, housing, logoutDelay, minExpansion, maxExpansion, area]
 *       properties:
 *         key: { type: string }
 *         name: { type: string, nullable: true }
 *         type: { type: string, nullable: true, example: TownRegion }
 *         parent: { type: string, nullable: true, description: Name of the region around it. }
 *         level: { type: integer, description: Number of regions around it. }
 *         priority:
 *           type: integer
 *           description: Where regions overlap, the one with the highest priority applies.
 *         rects: { type: array, items: { $ref: '#/components/schemas/AtlasRect' } }
 *         go: { $ref: '#/components/schemas/AtlasPoint' }
 *         entrance: { $ref: '#/components/schemas/AtlasPoint' }
 *         music: { type: string, nullable: true, description: Music that the client plays. }
 *         rune: { type: string, nullable: true, description: Name that runes marked here get. }
 *         guarded: { type: boolean, description: Whether guards protect players. }
 *         housing: { type: boolean, description: Whether houses may be placed. }
 *         logoutDelay:
 *           type: boolean
 *           description: >-
 *             Whether characters stay in the game for a while after the player has left.
 *         minExpansion:
 *           type: string
 *           nullable: true
 *           description: First expansion of the game that has the region; null for all.
 *         maxExpansion:
 *           type: string
 *           nullable: true
 *           description: Last expansion of the game that has the region; null for all.
 *         area: { type: number, description: Tiles of all boxes together. }
 */
export interface AtlasRegion {
  readonly facet: string;
  /** Unique within its facet where there is one. */
  readonly name: string | null;
  readonly type: string | null;
  /** The name, the path of names or the place in the file of the region it lies in. */
  readonly parent: string | number | null;
  readonly level: number;
  readonly priority: number;
  readonly rects: AtlasBox[];
  readonly go: AtlasPoint | null;
  readonly entrance: (AtlasPoint & { readonly map: string }) | null;
  readonly music: string | null;
  readonly rune: string | null;
  readonly guarded: boolean;
  readonly housing: boolean;
  readonly logoutDelay: boolean;
  readonly minExpansion: string | null;
  readonly maxExpansion: string | null;
  /** Tiles. */
  readonly area: number;
  readonly key: string;
}

/**
 * @openapi
 * components:
 *   schemas:
 *     AtlasEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [type, max, probability, status, body, art]
 *       properties:
 *         type: { type: string, example: Orc }
 *         max: { type: integer, description: Creatures of the type that may be alive at once. }
 *         probability:
 *           type: number
 *           nullable: true
 *           description: As the source gives it; null if it gives none.
 *         status: { $ref: '#/components/schemas/BodyStatus' }
 *         body:
 *           type: integer
 *           nullable: true
 *           description: Body id of the creature; null unless `status` is `ok`.
 *         art:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Key of its picture for `/public/assets/{key}`, which is open to the audience of the
 *             market. The picture that an operator chose comes before that of the body. Null if
 *             there is none.
 *           example: body:17
 */
export interface AtlasEntry {
  /** As the spawner spells it. */
  readonly type: string;
  /** In lower case: the game ignores the case of types. */
  readonly typeKey: string;
  readonly max: number;
  readonly probability: number | null;
  readonly args: string | null;
  readonly minDelaySec: number | null;
  readonly maxDelaySec: number | null;
}

export interface AtlasSpawner {
  readonly facet: string;
  readonly key: string;
  readonly name: string | null;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly rect: AtlasRect | null;
  readonly homeRange: number;
  readonly walkRange: number;
  readonly count: number;
  readonly minDelaySec: number;
  readonly maxDelaySec: number;
  readonly running: boolean;
  /** The name of the region it stands in. */
  readonly region: string | null;
  readonly entries: AtlasEntry[];
  /** The file it came from. */
  readonly source: string;
}

const name = Joi.string().max(256);
const seconds = Joi.number().min(0);
const corners = { x1: whole, y1: whole, x2: whole, y2: whole };
const point = { x: whole, y: whole, z: whole };

export const atlasRegion = Joi.object<AtlasRegion>({
  facet: name,
  name: textOrNull,
  type: textOrNull,
  parent: Joi.alternatives(text, whole).allow(null),
  level: count,
  priority: whole,
  rects: listOf(Joi.object<AtlasBox, true>({ ...corners, z1: whole, z2: whole })),
  go: Joi.object<AtlasPoint, true>(point).allow(null),
  entrance: Joi.object({ ...point, map: name }).allow(null),
  music: textOrNull,
  rune: textOrNull,
  guarded: flag,
  housing: flag,
  logoutDelay: flag,
  minExpansion: textOrNull,
  maxExpansion: textOrNull,
  area: Joi.number().min(0),
  key: name,
});

const atlasEntry = Joi.object<AtlasEntry, true>({
  type: name,
  typeKey: name.lowercase(),
  max: whole,
  probability: Joi.number().allow(null),
  args: textOrNull,
  minDelaySec: seconds.allow(null),
  maxDelaySec: seconds.allow(null),
});

export const atlasSpawner = Joi.object<AtlasSpawner, true>({
  facet: name,
  key: name,
  name: textOrNull,
  ...point,
  rect: Joi.object<AtlasRect, true>(corners).allow(null),
  homeRange: whole,
  walkRange: whole,
  count: whole,
  minDelaySec: seconds,
  maxDelaySec: seconds,
  running: flag,
  region: textOrNull,
  entries: listOf(atlasEntry),
  source: text,
});
