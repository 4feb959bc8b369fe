import type { AtlasPoint } from "../../calls/atlas-records.ts";

interface FacetSize {
  readonly width: number;
  readonly height: number;
}

/**
 * CATALOGUE of the sizes of the stock facets in tiles, as servers register them (ServUO,
 * `Scripts/Misc/MapDefinitions.cs`) and as the client has them built in.
 */
const stockSizes: ReadonlyMap<string, FacetSize> = new Map([
  ["felucca", { width: 7_168, height: 4_096 }],
  ["trammel", { width: 7_168, height: 4_096 }],
  ["ilshenar", { width: 2_304, height: 1_600 }],
  ["malas", { width: 2_560, height: 2_048 }],
  ["tokuno", { width: 1_448, height: 1_448 }],
  ["termur", { width: 1_280, height: 4_096 }],
]);

/** The game sends coordinates as unsigned 16-bit numbers, so that no facet is larger. */
const largest: FacetSize = { width: 65_536, height: 65_536 };

/** Whether a point lies on the map of its facet. */
export function isOnMap(facet: string, { x, y }: Pick<AtlasPoint, "x" | "y">): boolean {
  const { width, height } = stockSizes.get(facet.toLowerCase()) ?? largest;
  return x >= 0 && x < width && y >= 0 && y < height;
}
