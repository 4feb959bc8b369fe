import type { Asset } from "../../../models/assets/asset.ts";
import type { CreatureArt } from "../../../models/assets/creature-art.ts";
import type { ArtAssignmentResult } from "../../imports/results/assets.ts";
import { executeStatement, type Database, firstRow, rows } from "../../platform/db/rows.ts";

/** Selects each creature whose body has a picture, with the key of that picture. */
const derivedArt = `
  select creature.type_key, asset.key
  from atlas_creatures creature join atlas_state using (generation)
  join assets asset on asset.key = 'body:' || creature.body and asset.image is not null`;

/** Gives creatures the pictures of their bodies. Pictures that an operator chose stay unchanged. */
export async function applyCreatureArt(database: Database): Promise<ArtAssignmentResult> {
  const put = await executeStatement(
    database,
    `insert into creature_art as shown (type_key, derived_key) ${derivedArt}
     on conflict (type_key) do update set derived_key = excluded.derived_key
       where shown.derived_key is distinct from excluded.derived_key`,
  );
  const taken = await executeStatement(
    database,
    `update creature_art set derived_key = null
     where derived_key is not null and not exists (
       select from (${derivedArt}) as derived where derived.type_key = creature_art.type_key)`,
  );
  await executeStatement(
    database,
    "delete from creature_art where derived_key is null and operator_key is null",
  );
  return { ...(await countCreatureArt(database)), applied: put + taken };
}

/** Counts the creatures with a picture by the origin of that picture; writes nothing. */
export async function countCreatureArt(database: Database): Promise<ArtAssignmentResult> {
  const counted = await firstRow<CreatureArtCounts>(
    database,
    `select count(derived_key) as derived, count(operator_key) as operator,
       coalesce(array_agg(type_key order by type_key) filter (
         where operator_key is not null and image is null), '{}') as lost
     from creature_art left join assets on key = operator_key`,
  );
  const { derived = 0, operator = 0, lost = [] } = counted ?? {};
  return {
    applied: 0,
    derived,
    operator,
    error: lost.length === 0 ? null : describeMissingPictures(lost),
  };
}

interface CreatureArtCounts {
  readonly derived: number;
  readonly operator: number;
  /** Creatures whose chosen picture is not stored. */
  readonly lost: CreatureArt["typeKey"][];
}

const describeMissingPictures = (typeKeys: readonly string[]): string =>
  `The site has not stored the pictures that were chosen for ${typeKeys.slice(0, maxListedCreatures).join(", ")}`;

/** The maximum number of creatures that an error message names. */
const maxListedCreatures = 10;

/** The number of pictures that the market's listings need and have. */
interface MarketArtCounts {
  readonly wanted: number;
  readonly held: number;
  /** Pictures that the site has not stored and the shard has not refused. */
  readonly remaining: number;
}

/**
 * Selects the picture key of each listed item, and the state of that picture. If the picture is not in the loaded
 * catalog, it counts only while the shard still has the catalog `$1` with which it was fetched. Items whose id or
 * hue is outside the range of keys are left out.
 */
const marketArt = `
  with wanted as (
    select 'item:' || item_id || case when hue = 0 then '' else ':' || hue end as key,
      count(*) as listings
    from listings where item_id between 0 and 65535 and hue between 0 and 65535
    group by item_id, hue
  ), standing as (
    select key, listings, asked_at,
      coalesce(image is not null and (in_catalogue or catalog = $1), false) as is_held,
      coalesce(catalog = $1 and outcome <> 'held', false) as is_refused
    from wanted left join assets using (key) left join item_art using (key)
  )`;

export async function countMarketArt(
  catalog: string,
  database: Database,
): Promise<MarketArtCounts> {
  const counts = await firstRow<MarketArtCounts>(
    database,
    `${marketArt}
     select count(*) as wanted, count(*) filter (where is_held) as held,
       count(*) filter (where not is_held and not is_refused) as remaining
     from standing`,
    [catalog],
  );
  return counts ?? { wanted: 0, held: 0, remaining: 0 };
}

interface MissingArtQuery {
  readonly catalog: string;
  /**
   * True to also request stored and refused pictures. They come after all others, those with the oldest request
   * first.
   */
  readonly force: boolean;
  readonly limit: number;
}

/** Returns the keys to request, those with the most listings first. */
export async function findMissingArt(
  { catalog, force, limit }: MissingArtQuery,
  database: Database,
): Promise<string[]> {
  const found = await rows<Pick<Asset, "key">>(
    database,
    `${marketArt}
     select key from standing where $2 or not (is_held or is_refused)
     order by is_held or is_refused, asked_at nulls first, listings desc, key collate "C"
     limit $3`,
    [catalog, force, limit],
  );
  return found.map(({ key }) => key);
}
