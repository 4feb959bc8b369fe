import { QueryTypes, type Sequelize } from "sequelize";

import { type Imported, readImported } from "../../imports/imported.ts";
import type { AssetManifest } from "../sources/asset-source.ts";

/** Of which source the catalogue was last applied. */
export interface LoadedAssets extends Pick<AssetManifest, "catalog" | "extractorVersion"> {
  /** The atlas whose creatures were looked up. */
  readonly atlasGeneration: number;
}

export const readLoadedAssets = (sequelize: Sequelize): Promise<Imported<LoadedAssets> | null> =>
  readImported("assets", sequelize);

/** All that decides what an import of a source would bring. */
export const fingerprintOf = (manifest: AssetManifest): string =>
  JSON.stringify([
    manifest.catalog,
    manifest.extractorVersion,
    manifest.families.toSorted(),
    manifest.playerBodies.toSorted((one, other) => one - other),
  ]);

export interface LoadedCounts {
  /** Keys of the catalogue. */
  readonly assets: number;
  /** Keys whose picture is held, of the catalogue and beyond it. */
  readonly stored: number;
  /** Those of items and of land tiles. */
  readonly items: number;
  readonly land: number;
}

export async function countLoaded(sequelize: Sequelize): Promise<LoadedCounts> {
  const [counts] = await sequelize.query<LoadedCounts>(
    `select count(*) filter (where in_catalogue) as assets, count(image) as stored,
       count(image) filter (where family = 'item') as items,
       count(image) filter (where family = 'land') as land
     from assets`,
    { type: QueryTypes.SELECT },
  );
  return counts as LoadedCounts;
}

export interface CreatureCounts {
  /** Types of creatures in the atlas. */
  readonly creatures: number;
  /** Those that have a body whose picture is held. */
  readonly resolved: number;
}

export async function countCreatures(sequelize: Sequelize): Promise<CreatureCounts> {
  const [counts] = await sequelize.query<CreatureCounts>(
    `select count(*) as creatures, count(asset.image) as resolved
     from atlas_creatures creature join atlas_state using (generation)
     left join assets asset on asset.key = 'body:' || creature.body`,
    { type: QueryTypes.SELECT },
  );
  return counts as CreatureCounts;
}

/** The atlas that is shown; zero before the first. */
export async function readAtlasGeneration(sequelize: Sequelize): Promise<number> {
  const [row] = await sequelize.query<{ generation: number }>(
    "select generation from atlas_state",
    { type: QueryTypes.SELECT },
  );
  return row?.generation ?? 0;
}
