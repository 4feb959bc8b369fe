import type { InferAttributes } from "sequelize";

import type { Place } from "../../../models/market/place.ts";
import { countChanged, type Database, rows } from "../../platform/db/rows.ts";

/** A facet and a named region of it; what the shard does not say is null. */
export type FacetRegion = Pick<InferAttributes<Place>, "map" | "region">;

export type StoredPlace = Pick<InferAttributes<Place>, "id" | keyof FacetRegion>;

/** Stores those that are new. @returns all of them with their ids */
export async function keepPlaces(
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
