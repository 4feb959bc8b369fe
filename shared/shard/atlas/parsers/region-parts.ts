import type { AtlasBox, AtlasPoint, AtlasRegion } from "../../calls/atlas-records.ts";
import { contentKey } from "./fields.ts";

/** The heights that the game gives to a region that declares none. */
export const defaultRegionHeights = { z1: -128, z2: 128 } as const;

/** The fields of a region that a file declares. The other fields are derived from them. */
export interface DeclaredRegion {
  readonly facet: string;
  readonly name: string | null;
  readonly type: string | null;
  /** The names of the enclosing regions, the outermost first. */
  readonly parents: readonly string[];
  readonly priority: number;
  readonly rects: readonly AtlasBox[];
  readonly go: AtlasPoint | null;
  readonly entrance: AtlasRegion["entrance"];
  readonly music: string | null;
  readonly rune: string | null;
  readonly guardsDisabled: boolean;
  readonly noHousing: boolean;
  readonly logoutDelay: boolean;
  readonly minExpansion: string | null;
  readonly maxExpansion: string | null;
}

const guardedTypes = /guarded|town/i;
/** Region classes of the game in which nobody can build. */
const housingTypes = /nohousing|dungeon|town|guarded|jail|greenacres|mondain|apprentice/i;

export function toRegion(facts: DeclaredRegion): AtlasRegion {
  const { facet, type, parents, rects, guardsDisabled, noHousing, ...plain } = facts;
  const path = [...parents, facts.name ?? ""].join("/");
  return {
    ...plain,
    facet,
    type,
    rects: [...rects],
    // Enclosing regions may have no name, so take the nearest one that has a name.
    parent: parents.findLast((name) => name !== "") ?? null,
    level: parents.length,
    guarded: !guardsDisabled && guardedTypes.test(type ?? ""),
    housing: !noHousing && !housingTypes.test(type ?? ""),
    area: rects.reduce((sum, { x1, y1, x2, y2 }) => sum + tiles(x2 - x1) * tiles(y2 - y1), 0),
    key: contentKey(facet, path, rects),
  };
}

const tiles = (length: number): number => Math.max(0, length);
