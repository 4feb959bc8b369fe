import { type Database, rows } from "../../platform/db/rows.ts";
import type { VendorState } from "./vendor-state.ts";
import { type StoredPlace, storePlacesSql, type StoredVendor } from "./vendors.sql.ts";

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
  const located = states.flatMap(({ hasPlace, row }) => (hasPlace ? [row] : []));
  const unknown = located.filter((row) => !ids.has(keyOf(row)));
  if (unknown.length > 0) {
    const columns = [
      unknown.map(({ map = null }) => map),
      unknown.map(({ region = null }) => region),
    ];
    const stored = await rows<StoredPlace>(database, storePlacesSql, columns);
    for (const place of stored) ids.set(keyOf(place), place.id);
  }
  return new Map(located.map((row) => [row.serial, ids.get(keyOf(row)) ?? null]));
}

const keyOf = ({ map, region }: VendorState["row"] | StoredVendor | StoredPlace): string =>
  JSON.stringify([map ?? null, region ?? null]);
