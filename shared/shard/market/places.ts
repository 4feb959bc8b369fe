import type { InferAttributes } from "sequelize";

import type { Place } from "../../../models/market/place.ts";
import { countChanged, type Database, rows } from "../../platform/db/rows.ts";
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

/** A facet and a named region of it; what the shard does not say is null. */
export type FacetRegion = Pick<InferAttributes<Place>, "map" | "region">;

type StoredPlace = Pick<InferAttributes<Place>, "id" | keyof FacetRegion>;

/** Stores those that are new. @returns all of them with their ids */
async function keepPlaces(
  places: readonly FacetRegion[],
  database: Database,
): Promise<StoredPlace[]> {
  const columns = [places.map(({ map }) => map), places.map(({ region }) => region)];
  await countChanged(
    database,
    `insert into places (map, region)
     select given.map, given.region from unnest($1::text[], $2::text[]) as given (map, region)
     on conflict do nothing`,
    columns,
  );
  return rows(
    database,
    `select places.id, places.map, places.region
     from places join unnest($1::text[], $2::text[]) as wanted (map, region)
       on places.map is not distinct from wanted.map
         and places.region is not distinct from wanted.region`,
    columns,
  );
}

/** Deletes those of these places where no vendor stands. */
export async function deleteEmptyPlaces(
  ids: readonly (number | null)[],
  database: Database,
): Promise<void> {
  if (ids.length === 0) return;
  await countChanged(
    database,
    `delete from places where id = any($1::integer[])
       and not exists (select from vendors where listed and place_id = places.id)`,
    [ids],
  );
}
