import type { Listing } from "../../../models/market/listing.ts";
import type { Place } from "../../../models/market/place.ts";
import type { MarketFilters } from "../market/filters.ts";
import { normalizeSearchText } from "../market/labels.ts";

/** The fields of a listing that terms are built from. */
export interface SearchableListing
  extends
    Readonly<Pick<Listing, "itemId" | "searchName">>,
    Readonly<Pick<Place, "map" | "region">> {}

/** The length of the substrings of names that are terms, in characters. */
const pieceLength = 3;

/**
 * Returns the term of a search that is rarest in most markets. Every matching listing has this term, so a
 * search is checked only if a changed listing has it.
 */
export const rarestTermOf = (filters: MarketFilters): string => requiredTermsOf(filters)[0];

/** Returns all terms that a matching listing must have, the rarest first. */
export function requiredTermsOf({ q, itemId, map, region }: MarketFilters): [string, ...string[]] {
  const asked = [
    ...(itemId === undefined ? [] : [`item ${itemId}`]),
    ...(q === undefined ? [] : [`name ${rarestPiece(normalizeSearchText(q))}`]),
    ...(region === undefined ? [] : [`region ${region}`]),
    ...(map === undefined ? [] : [`map ${map}`]),
  ];
  const [first = "any", ...others] = asked;
  return [first, ...others];
}

/** Returns the terms of all searches that the listing may match. */
export const termsOf = ({ itemId, searchName, map, region }: SearchableListing): string[] => [
  "any",
  `item ${itemId}`,
  ...(region === null ? [] : [`region ${region}`]),
  ...(map === null ? [] : [`map ${map}`]),
  ...piecesOf(searchName ?? "").map((piece) => `name ${piece}`),
];

/**
 * Returns the distinct substrings of up to three characters. The short ones serve searches for one or two
 * letters.
 */
function piecesOf(text: string): string[] {
  const characters = Array.from(text);
  const lengths = Array.from({ length: pieceLength }, (_, at) => at + 1);
  const pieces = characters.flatMap((_, at) =>
    lengths
      .filter((length) => at + length <= characters.length)
      .map((length) => characters.slice(at, at + length).join("")),
  );
  return [...new Set(pieces)];
}

/** Letters by their frequency in item names, the most frequent first. All other letters are rarer. */
const common = " earotinslhdgcmufpbywkv";

function rarestPiece(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= pieceLength) return text;
  const starts = characters.slice(0, characters.length - pieceLength + 1);
  const pieces = starts.map((_, at) => characters.slice(at, at + pieceLength));
  const [rarest = []] = pieces.toSorted((one, other) => rarityOf(other) - rarityOf(one));
  return rarest.join("");
}

const rarityOf = (characters: readonly string[]): number =>
  characters.reduce((sum, one) => sum + (common.includes(one) ? common.indexOf(one) : 30), 0);
