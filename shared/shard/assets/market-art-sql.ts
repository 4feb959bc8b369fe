import type { Asset } from "../../../models/assets/asset.ts";
import { type Database, firstRow, rows } from "../../platform/db/rows.ts";

/** How the pictures stand that the market's listings show. */
export interface MarketArt {
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

export interface ArtQuest {
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
