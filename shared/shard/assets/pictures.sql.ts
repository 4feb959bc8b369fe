import type { AssetImage as ImageRow } from "../../../models/assets/asset-image.ts";
import { executeStatement, type Database, firstRow } from "../../platform/db/rows.ts";
import type { AssetImage } from "../calls/asset-images.ts";

/** Tables with the columns that need statistics. The bytes of pictures are left out. */
export const pictureTables = [
  "assets (key, family, image, in_catalogue)",
  "asset_images (hash)",
] as const;

/** Stores pictures; skips those that are already stored. */
export async function insertPictures(
  images: readonly AssetImage[],
  database: Database,
): Promise<void> {
  if (images.length === 0) return;
  const given = images.map(({ sha256: hash, mime, bytes }): Image => ({ hash, mime, bytes }));
  await executeStatement(
    database,
    `insert into asset_images (hash, mime, bytes)
     select distinct on (hash) hash, mime, bytes
     from unnest($1::text[], $2::text[], $3::bytea[]) as given (hash, mime, bytes)
     on conflict (hash) do nothing`,
    [given.map(({ hash }) => hash), given.map(({ mime }) => mime), given.map(({ bytes }) => bytes)],
  );
}

type Image = Pick<ImageRow, "hash" | "mime" | "bytes">;

/** Assigns pictures to items outside the catalog. @returns the number of keys that changed */
export const publishItemPictures = (
  images: readonly AssetImage[],
  database: Database,
): Promise<number> =>
  executeStatement(
    database,
    `insert into assets as shown (key, family, image, in_catalogue)
     select key, 'item', hash, false from unnest($1::text[], $2::text[]) as given (key, hash)
     on conflict (key) do update set image = excluded.image
       where shown.image is distinct from excluded.image`,
    [images.map(({ key }) => key), images.map(({ sha256 }) => sha256)],
  );

/** Deletes pictures that no key shows, including those of failed imports. */
export async function deleteUnusedPictures(database: Database): Promise<void> {
  await executeStatement(
    database,
    "delete from asset_images where not exists (select from assets where image = hash)",
  );
}

export interface LoadedAssetCounts {
  readonly assets: number;
  /** Keys with a stored picture, inside and outside the catalog. */
  readonly stored: number;
  readonly items: number;
  readonly land: number;
}

export const countLoadedAssets = async (database: Database): Promise<LoadedAssetCounts> =>
  (await firstRow<LoadedAssetCounts>(
    database,
    `select count(*) filter (where in_catalogue) as assets, count(image) as stored,
       count(image) filter (where family = 'item') as items,
       count(image) filter (where family = 'land') as land
     from assets`,
  )) ?? { assets: 0, stored: 0, items: 0, land: 0 };

export interface CreatureCounts {
  readonly creatures: number;
  /** Creatures whose body has a stored picture. */
  readonly resolved: number;
}

export const countCreatures = async (database: Database): Promise<CreatureCounts> =>
  (await firstRow<CreatureCounts>(
    database,
    `select count(*) as creatures, count(asset.image) as resolved
     from atlas_creatures creature join atlas_state using (generation)
     left join assets asset on asset.key = 'body:' || creature.body`,
  )) ?? { creatures: 0, resolved: 0 };
