import type { Transaction } from "sequelize";

import { type Imported, readImported } from "../../imports/sources/imported-source.ts";
import type { Context } from "../../platform/context.ts";
import type { AssetManifest } from "../calls/asset-calls.ts";

/** Of which source the catalogue was last applied. */
export interface LoadedAssets extends Pick<AssetManifest, "catalog" | "extractorVersion"> {
  /** The atlas whose creatures were looked up. */
  readonly atlasGeneration: number;
}

type Models = Pick<Context, "models">;

export const readLoadedAssets = (
  models: Models,
  transaction?: Transaction,
): Promise<Imported<LoadedAssets> | null> => readImported("assets", models, transaction);

/** Differs whenever an import of the source could bring something else. */
export const fingerprintOf = (manifest: AssetManifest): string =>
  JSON.stringify([
    manifest.catalog,
    manifest.extractorVersion,
    manifest.families.toSorted(),
    manifest.playerBodies.toSorted((one, other) => one - other),
  ]);
