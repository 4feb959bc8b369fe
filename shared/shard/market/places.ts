import type { Sql } from "../../db/sql.ts";
import type { StoredVendor } from "./stored.ts";

/** Where a vendor stands, as far as searches ask: the facet and the named region, if any. */
export interface Place {
  readonly map: string | null;
  readonly region: string | null;
}

const keyOf = ({ map, region }: Place): string => JSON.stringify([map, region]);

/** A vendor and where it is to stand. */
interface Placed {
  readonly serial: number;
  readonly spot: Place | null;
}

/**
 * The id of each vendor's place, by the vendor's serial; places that are new are stored.
 * @param known rows of vendors, whose places need no looking up
 */
export async function placeIdsOf(
  vendors: readonly Placed[],
  known: readonly StoredVendor[],
  sql: Sql,
): Promise<ReadonlyMap<number, number | null>> {
  const ids = new Map(known.flatMap((row) => (row.placeId ? [[keyOf(row), row.placeId]] : [])));
  const others = vendors.flatMap(({ spot }) => (spot && !ids.has(keyOf(spot)) ? [spot] : []));
  for (const row of await keepPlaces(others, sql)) ids.set(keyOf(row), row.id);
  return new Map(
    vendors.map(({ serial, spot }) => [serial, (spot && ids.get(keyOf(spot))) ?? null]),
  );
}

async function keepPlaces(
  places: readonly Place[],
  sql: Sql,
): Promise<readonly (Place & { readonly id: number })[]> {
  if (places.length === 0) return [];
  const distinct = [...new Map(places.map((place) => [keyOf(place), place])).values()];
  const columns = [distinct.map(({ map }) => map), distinct.map(({ region }) => region)];
  await sql.query(
    `insert into places (map, region) select * from unnest($1::text[], $2::text[])
     on conflict do nothing`,
    columns,
  );
  const { rows } = await sql.query<Place & { id: number }>(
    `select places.id, places.map, places.region
     from places join unnest($1::text[], $2::text[]) as wanted (map, region)
       on places.map is not distinct from wanted.map
         and places.region is not distinct from wanted.region`,
    columns,
  );
  return rows;
}

/** Forgets the places that these vendors left, where no other vendor stands. */
export async function dropEmptyPlaces(left: readonly StoredVendor[], sql: Sql): Promise<void> {
  if (left.length === 0) return;
  await sql.query(
    `delete from places where id = any($1::integer[])
       and not exists (select from vendors where listed and place_id = places.id)`,
    [left.map(({ placeId }) => placeId)],
  );
}
