import Joi from "joi";

import { field } from "../../platform/bridge/payload-fields.ts";
import { count, flag, listOf, text, textOrNull, integerField } from "./answer-parts.ts";

/** A half-open rectangle: x1 ≤ x < x2. */
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

export interface AtlasPoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A region of a facet. Shards may add facets. */
export interface AtlasRegion {
  readonly facet: string;
  /** Unique within its facet; null for an unnamed region. */
  readonly name: string | null;
  readonly type: string | null;
  /** The enclosing region: its name, its path of names, or its position in the file. */
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
  /** Number of tiles. */
  readonly area: number;
  readonly key: string;
}

export interface AtlasEntry {
  readonly type: string;
  /** In lower case, because the game ignores the case of types. */
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
  readonly region: string | null;
  readonly entries: AtlasEntry[];
  readonly source: string;
}

const name = Joi.string().max(256);
const seconds = Joi.number().min(0);
const corners = {
  x1: field(integerField, "Western edge of the box, in tiles. The edge belongs to the box."),
  y1: field(integerField, "Northern edge of the box, in tiles. The edge belongs to the box."),
  x2: field(
    integerField,
    "Eastern edge of the box, in tiles. The edge does not belong to the box.",
  ),
  y2: field(
    integerField,
    "Southern edge of the box, in tiles. The edge does not belong to the box.",
  ),
};
const point = {
  x: field(integerField, "Coordinate in tiles, from west to east."),
  y: field(integerField, "Coordinate in tiles, from north to south."),
  z: field(integerField, "Height."),
};
const facet = field(name, "Name of the facet.");

const box = Joi.object<AtlasBox, true>({
  ...corners,
  z1: field(integerField, "Lowest height of the box."),
  z2: field(integerField, "Highest height of the box."),
});

export const atlasRegion = Joi.object<AtlasRegion>({
  facet,
  name: field(
    textOrNull,
    "Name of the region, unique on its facet. Null if the region has no name.",
  ),
  type: field(textOrNull, "Type of the region in the game, such as `TownRegion`."),
  parent: field(
    Joi.alternatives(text, integerField).allow(null),
    "Region that contains this region: its name, its path of names, or its position in the file. " +
      "Null if no region contains it.",
  ),
  level: field(count, "Number of regions that contain this region."),
  priority: field(
    integerField,
    "Priority of the region. Where regions overlap, the region with the highest priority applies.",
  ),
  rects: field(listOf(box), "Boxes that make up the region."),
  go: field(
    Joi.object<AtlasPoint, true>(point).allow(null),
    "Place where a member of the game's staff arrives when going to the region. Null if there is " +
      "no such place.",
  ),
  entrance: field(
    Joi.object({
      ...point,
      map: field(name, "Name of the facet on which the entrance is."),
    }).allow(null),
    "Entrance of the region, such as the entrance of a dungeon. Null if the region has no " +
      "entrance.",
  ),
  music: field(
    textOrNull,
    "Name of the music that the game client plays in the region. Null if there is no music.",
  ),
  rune: field(
    textOrNull,
    "Name that a rune receives when a player marks it in the region. Null if there is no such " +
      "name.",
  ),
  guarded: field(flag, "Whether guards protect players in the region."),
  housing: field(flag, "Whether players may place houses in the region."),
  logoutDelay: field(
    flag,
    "Whether a character in the region stays in the world for some time after its player " +
      "disconnected.",
  ),
  minExpansion: field(
    textOrNull,
    "First expansion of the game that contains the region. Null if there is no limit.",
  ),
  maxExpansion: field(
    textOrNull,
    "Last expansion of the game that contains the region. Null if there is no limit.",
  ),
  area: field(Joi.number().min(0), "Number of tiles in all boxes of the region."),
  key: field(name, "Key that identifies the region, such as `Felucca/Britain`."),
});

const atlasEntry = Joi.object<AtlasEntry, true>({
  type: field(name, "Type of the creature, as the spawner spells it."),
  typeKey: field(name.lowercase(), "The type in lower case."),
  max: field(
    integerField,
    "Maximum number of creatures of this type that are alive at the same time.",
  ),
  probability: field(
    Joi.number().allow(null),
    "Probability of this type, as the source states it. Null if the source states no probability.",
  ),
  args: field(
    textOrNull,
    "Arguments of the type in the source. Null if the type has no arguments.",
  ),
  minDelaySec: field(seconds.allow(null), "Shortest time to the next spawn, in seconds."),
  maxDelaySec: field(seconds.allow(null), "Longest time to the next spawn, in seconds."),
});

export const atlasSpawner = Joi.object<AtlasSpawner, true>({
  facet,
  key: field(name, "Key that identifies the spawner."),
  name: field(textOrNull, "Name of the spawner."),
  ...point,
  rect: field(
    Joi.object<AtlasRect, true>(corners).allow(null),
    "Box in which creatures spawn. Null if creatures spawn within `homeRange`.",
  ),
  homeRange: field(
    integerField,
    "Distance from the spawner within which creatures spawn, in tiles.",
  ),
  walkRange: field(
    integerField,
    "Distance from the spawner within which creatures walk, in tiles.",
  ),
  count: field(integerField, "Maximum number of creatures that are alive at the same time."),
  minDelaySec: field(seconds, "Shortest time to the next spawn, in seconds."),
  maxDelaySec: field(seconds, "Longest time to the next spawn, in seconds."),
  running: field(flag, "Whether the spawner is active."),
  region: field(
    textOrNull,
    "Name of the region that contains the spawner. Null if no region contains it.",
  ),
  entries: field(listOf(atlasEntry), "Types of creatures that the spawner creates."),
  source: field(text, "File from which the spawner comes."),
});
