import type { InferAttributes } from "sequelize";

import type { Place } from "../../../models/market/place.ts";
import { countChanged, type Database, rows } from "../../platform/db/rows.ts";
import type { VendorState } from "./vendor-state.ts";
import { insertPlaces, selectPlaces, type StoredVendor } from "./vendors.sql.ts";

export type PlaceIds = ReadonlyMap<number, number | null>;

/** Returns the places of vendors and stores new ones. @param storedVendors vendors whose place is stored */
export async function storePlaces(
  states: readonly VendorState[],
  storedVendors: readonly StoredVendor[],
  database: Database,
): Promise<PlaceIds> {
  const ids = new Map(
    storedVendors.flatMap((row) => (row.placeId ? [[keyOf(row), row.placeId]] : [])),
  );
  const unknown = states.flatMap(({ location }) =>
    location && !ids.has(keyOf(location)) ? [location] : [],
  );
  const distinct = new Map(unknown.map((location) => [keyOf(location), location]));
  if (distinct.size > 0) {
    const places = [...distinct.values()];
    const columns = [places.map(({ map }) => map), places.map(({ region }) => region)];
    await countChanged(database, insertPlaces, columns);
    const stored = await rows<StoredPlace>(database, selectPlaces, columns);
    for (const place of stored) ids.set(keyOf(place), place.id);
  }
  return new Map(
    states.map(({ serial, location }) => [serial, (location && ids.get(keyOf(location))) ?? null]),
  );
}

const keyOf = ({ map, region }: FacetRegion): string => JSON.stringify([map, region]);

/** A facet and a named region in it; null if the shard names none. */
export type FacetRegion = Pick<InferAttributes<Place>, "map" | "region">;

type StoredPlace = Pick<InferAttributes<Place>, "id" | keyof FacetRegion>;
