import type { AtlasPoint } from "../../calls/atlas-records.ts";
import { cleanText } from "./fields.ts";

/** The facets of every stock server, by their index. */
const stock = ["Felucca", "Trammel", "Ilshenar", "Malas", "Tokuno", "TerMur"] as const;

/** Whether a stock facet is called so, as folders of spawn files are. */
export const isStockFacet = (name: string): boolean =>
  stock.some((facet) => facet.toLowerCase() === name.toLowerCase());

/** Where logged-out characters are kept: no place of the world. */
const limbo = { name: "internal", index: 0x7f } as const;

/**
 * The facets of one source. They are an open set of names, read in any case or as an index; each
 * keeps the spelling it was first met in.
 */
export class FacetNames {
  readonly #spellings = new Map<string, string>(stock.map((name) => [name.toLowerCase(), name]));

  /** @returns null for limbo and for what names no facet */
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

  /** The facet of an index. Beyond the stock ones it is named as servers name it. */
  at(index: number): string | null {
    return index === limbo.index ? null : (stock[index] ?? `Map${index}`);
  }
}

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
