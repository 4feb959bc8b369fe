import type { Asset } from "../../../models/assets/asset.ts";
import type { CreatureArt } from "../../../models/assets/creature-art.ts";
import type { ArtFindings } from "../../imports/results/assets.ts";
import { countChanged, type Database, firstRow, rows } from "../../platform/db/rows.ts";

/** The picture that follows from each creature's body. */
const derivedArt = `
  select creature.type_key, asset.key
  from atlas_creatures creature join atlas_state using (generation)
  join assets asset on asset.key = 'body:' || creature.body and asset.image is not null`;

/** Gives creatures the pictures of their bodies; what an operator chose stays beside them. */
export async function applyCreatureArt(database: Database): Promise<ArtFindings> {
  const put = await countChanged(
    database,
    `insert into creature_art as shown (type_key, derived_key) ${derivedArt}
     on conflict (type_key) do update set derived_key = excluded.derived_key
       where shown.derived_key is distinct from excluded.derived_key`,
  );
  const taken = await countChanged(
    database,
    `update creature_art set derived_key = null
     where derived_key is not null and not exists (
       select from (${derivedArt}) as derived where derived.type_key = creature_art.type_key)`,
  );
  await countChanged(
    database,
    "delete from creature_art where derived_key is null and operator_key is null",
  );
  return { ...(await countArt(database)), applied: put + taken };
}

/** How many creatures show which kind of picture, nothing being changed. */
export async function countArt(database: Database): Promise<ArtFindings> {
  const counted = await firstRow<CountedArt>(
    database,
    `select count(derived_key) as derived, count(operator_key) as operator,
       coalesce(array_agg(type_key order by type_key) filter (
         where operator_key is not null and image is null), '{}') as lost
     from creature_art left join assets on key = operator_key`,
  );
  const { derived = 0, operator = 0, lost = [] } = counted ?? {};
  return { applied: 0, derived, operator, error: lost.length === 0 ? null : describeLost(lost) };
}

interface CountedArt {
  readonly derived: number;
  readonly operator: number;
  /** Creatures whose chosen picture is not held. */
  readonly lost: CreatureArt["typeKey"][];
}

const describeLost = (typeKeys: readonly string[]): string =>
  `No picture is held of what was chosen for ${typeKeys.slice(0, namedLost).join(", ")}`;

/** As many creatures as an operator reads in one line. */
const namedLost = 10;

/** How the pictures stand that the market's listings show. */
interface MarketArt {
  readonly wanted: number;
  readonly held: number;
  /** Neither held nor known to be without a picture. */
  readonly remaining: number;
}

/**
 * What the market shows, each with how it stands under the shard's catalogue `$1`. A picture from
 * outside the loaded catalogue counts for the catalogue it was asked of alone. What the grammar of
 * keys cannot name, such as a house on its deed, is not wanted.
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

export async function countMarketArt(catalog: string, database: Database): Promise<MarketArt> {
  const counts = await firstRow<MarketArt>(
    database,
    `${marketArt}
     select count(*) as wanted, count(*) filter (where is_held) as held,
       count(*) filter (where not is_held and not is_refused) as remaining
     from standing`,
    [catalog],
  );
  return counts ?? { wanted: 0, held: 0, remaining: 0 };
}

interface ArtQuest {
  readonly catalog: string;
  /** Also what is held or has no picture, after everything else, longest unasked first. */
  readonly force: boolean;
  readonly limit: number;
}

/** The keys to ask for, those that most listings show first. */
export async function findMissingArt(
  { catalog, force, limit }: ArtQuest,
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
