import type { Database } from "../../platform/db/rows.ts";
import { type FacetRegion, keepPlaces } from "./places-sql.ts";
import type { VendorState } from "./vendor-state.ts";
import type { StoredVendor } from "./vendors-sql.ts";

/** The id of each vendor's place, by the vendor's serial. */
export type PlaceIds = ReadonlyMap<number, number | null>;

/**
 * Finds the place of each vendor; places that are new are stored.
 * @param before the vendors as they are stored: their places need no looking up
 */
export async function placeIdsOf(
  states: readonly VendorState[],
  before: readonly StoredVendor[],
  database: Database,
): Promise<PlaceIds> {
  const ids = new Map(before.flatMap((row) => (row.placeId ? [[keyOf(row), row.placeId]] : [])));
  const unknown = states.flatMap(({ location }) =>
    location && !ids.has(keyOf(location)) ? [location] : [],
  );
  const distinct = new Map(unknown.map((location) => [keyOf(location), location]));
  if (distinct.size > 0) {
    const stored = await keepPlaces([...distinct.values()], database);
    for (const place of stored) ids.set(keyOf(place), place.id);
  }
  return new Map(
    states.map(({ serial, location }) => [serial, (location && ids.get(keyOf(location))) ?? null]),
  );
}

const keyOf = ({ map, region }: FacetRegion): string => JSON.stringify([map, region]);
