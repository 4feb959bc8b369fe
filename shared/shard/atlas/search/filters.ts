import { escapeLike } from "../../../platform/db/sql-text.ts";

/** Filters for the regions and spawners of a facet. */
export interface AtlasFilter {
  /** A region's name, in any case. */
  readonly region?: string | undefined;
  /** A creature's type, in any case. */
  readonly creature?: string | undefined;
  /** A point. It selects the regions that contain it, and the spawners whose range reaches it. */
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  /** `x1, y1, x2, y2`, half-open like all rectangles of the atlas. */
  readonly bbox?: readonly number[] | undefined;
  /** Part of the name of a region, a spawner or a creature, in any case. */
  readonly q?: string | undefined;
}

interface ScopedAtlasFilter extends AtlasFilter {
  readonly facet: string;
  readonly generation: number;
}

/** Returns the parameters of `regionCondition` and `spawnerCondition`, in order; null for an absent filter. */
export function listFilterValues(asked: ScopedAtlasFilter): unknown[] {
  const { generation, facet, region, creature, x, y, bbox, q } = asked;
  const [x1, y1, x2, y2] = bbox ?? [];
  const like = q && `%${escapeLike(q.toLowerCase())}%`;
  const creatureKey = creature?.toLowerCase();
  const given = [region?.toLowerCase(), creatureKey, x, y, x1, y1, x2, y2, like];
  return [generation, facet, ...given.map((value) => value ?? null)];
}

const rectHolding = (holds: string): string =>
  `exists (select from atlas_rects rect
     where rect.generation = region.generation and rect.region_id = region.id and ${holds})`;

const entryThat = (fits: string): string =>
  `exists (select from atlas_entries entry
     where entry.generation = spawner.generation and entry.spawner_id = spawner.id and ${fits})`;

/** The condition for a row of `atlas_regions region`. */
export const regionCondition = `
  region.generation = $1 and region.facet = $2
  and ($3::text is null or lower(region.name) = $3)
  and ($4::text is null or region.name in (
    select spawner.region from atlas_spawners spawner
    where spawner.generation = $1 and spawner.facet = $2 and ${entryThat("entry.type_key = $4")}))
  and ($5::integer is null or ${rectHolding(
    "$5 >= rect.x1 and $5 < rect.x2 and $6::integer >= rect.y1 and $6 < rect.y2",
  )})
  and ($7::integer is null or ${rectHolding(
    `$7 < $9::integer and $8::integer < $10::integer and rect.x1 < $9 and rect.x2 > $7
      and rect.y1 < $10 and rect.y2 > $8`,
  )})
  and ($11::text is null or lower(region.name) like $11)`;

/** The condition for a row of `atlas_spawners spawner`. A spawner without a rectangle covers its range. */
export const spawnerCondition = `
  spawner.generation = $1 and spawner.facet = $2
  and ($3::text is null or lower(spawner.region) = $3)
  and ($4::text is null or ${entryThat("entry.type_key = $4")})
  and ($5::integer is null or case when spawner.rect is null
    then abs(spawner.x - $5) <= spawner.home_range and abs(spawner.y - $6::integer) <= spawner.home_range
    else $5 >= (spawner.rect ->> 'x1')::integer and $5 < (spawner.rect ->> 'x2')::integer
      and $6 >= (spawner.rect ->> 'y1')::integer and $6 < (spawner.rect ->> 'y2')::integer end)
  and ($7::integer is null or (spawner.x >= $7 and spawner.x < $9::integer
    and spawner.y >= $8::integer and spawner.y < $10::integer))
  and ($11::text is null or spawner.names like $11
    or spawner.names is null and (lower(spawner.name) like $11 or lower(spawner.region) like $11
      or ${entryThat("entry.type_key like $11")}))`;

/** Returns true if no filter is set. */
export const isUnfiltered = ({ region, creature, x, bbox, q }: AtlasFilter): boolean =>
  [region, creature, x, bbox, q].every((given) => given === undefined || given === "");
