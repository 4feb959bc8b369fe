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
