import type { AtlasBox, AtlasPoint, AtlasRegion } from "../../calls/atlas-records.ts";

interface IndexedRegion {
  readonly region: AtlasRegion;
  /** The name of the region, or of the nearest enclosing region with a name. */
  readonly label: string | null;
  readonly bounds: AtlasBox;
}

/** Finds the region of a point by the rules of the game's own loader. */
export class RegionIndex {
  readonly #byFacet = new Map<string, IndexedRegion[]>();

  constructor(regions: readonly AtlasRegion[]) {
    for (const region of regions) {
      const bounds = boundsOf(region.rects);
      if (!bounds) continue;
      const placed = this.#byFacet.get(region.facet) ?? [];
      placed.push({ region, label: labelOf(region), bounds });
      this.#byFacet.set(region.facet, placed);
    }
    // The first region that contains a point wins.
    for (const placed of this.#byFacet.values()) placed.sort(byRank);
  }

  /** Returns the name of the region that contains the point; null outside all named regions. */
  nameAt(facet: string, point: AtlasPoint): string | null {
    const inside = this.#byFacet
      .get(facet)
      ?.find(
        ({ bounds, region }) =>
          containsPoint(bounds, point) && region.rects.some((rect) => containsPoint(rect, point)),
      );
    return inside?.label ?? null;
  }
}

const labelOf = ({ name, parent }: AtlasRegion): string | null =>
  name ?? (typeof parent === "string" ? parent : null);

const byRank = ({ region: one }: IndexedRegion, { region: other }: IndexedRegion): number =>
  other.priority - one.priority || other.level - one.level;

const containsPoint = (box: AtlasBox, { x, y, z }: AtlasPoint): boolean =>
  x >= box.x1 && x < box.x2 && y >= box.y1 && y < box.y2 && z >= box.z1 && z < box.z2;

function boundsOf(rects: readonly AtlasBox[]): AtlasBox | undefined {
  const [first, ...rest] = rects;
  if (!first) return undefined;
  return rest.reduce(mergeBoxes, first);
}

const mergeBoxes = (one: AtlasBox, other: AtlasBox): AtlasBox => ({
  x1: Math.min(one.x1, other.x1),
  y1: Math.min(one.y1, other.y1),
  z1: Math.min(one.z1, other.z1),
  x2: Math.max(one.x2, other.x2),
  y2: Math.max(one.y2, other.y2),
  z2: Math.max(one.z2, other.z2),
});
