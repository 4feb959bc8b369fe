import type { AtlasPoint } from "../../calls/atlas-records.ts";
import { cleanText } from "./fields.ts";

const stockFacets = ["Felucca", "Trammel", "Ilshenar", "Malas", "Tokuno", "TerMur"] as const;

/** Returns true if a stock facet has this name. Folders of spawn files have the names of facets. */
export const isStockFacet = (name: string): boolean =>
  stockFacets.some((facet) => facet.toLowerCase() === name.toLowerCase());

/** The facet where the game keeps logged-out characters; it is not part of the world. */
const limbo = { name: "internal", index: 0x7f } as const;

/** Converts the facets of one source (indexes, or names in any case) to the first spelling of each name. */
export class FacetNames {
  readonly #spellings = new Map<string, string>(
    stockFacets.map((name) => [name.toLowerCase(), name]),
  );

  /** @returns null for limbo and for values that name no facet */
  read(value: unknown): string | null {
    const name = cleanText(value);
    if (name === null) return null;
    if (/^\d{1,3}$/.test(name)) return this.at(Number(name));
    const key = name.toLowerCase();
    if (key === limbo.name) return null;
    const spelling = this.#spellings.get(key) ?? name;
    this.#spellings.set(key, spelling);
    return spelling;
  }

  /** Returns the name of the facet with this index. A facet that a server has added is named after its index. */
  at(index: number): string | null {
    return index === limbo.index ? null : (stockFacets[index] ?? `Map${index}`);
  }
}

interface FacetSize {
  readonly width: number;
  readonly height: number;
}

/**
 * CATALOGUE of the sizes of the stock facets in tiles. Source: ServUO's `Scripts/Misc/MapDefinitions.cs`;
 * the client has the same sizes.
 */
const stockSizes: ReadonlyMap<string, FacetSize> = new Map([
  ["felucca", { width: 7_168, height: 4_096 }],
  ["trammel", { width: 7_168, height: 4_096 }],
  ["ilshenar", { width: 2_304, height: 1_600 }],
  ["malas", { width: 2_560, height: 2_048 }],
  ["tokuno", { width: 1_448, height: 1_448 }],
  ["termur", { width: 1_280, height: 4_096 }],
]);

/** The game sends coordinates as unsigned 16-bit numbers, so no facet is larger. */
const largest: FacetSize = { width: 65_536, height: 65_536 };

export function isOnMap(facet: string, { x, y }: Pick<AtlasPoint, "x" | "y">): boolean {
  const { width, height } = stockSizes.get(facet.toLowerCase()) ?? largest;
  return x >= 0 && x < width && y >= 0 && y < height;
}
