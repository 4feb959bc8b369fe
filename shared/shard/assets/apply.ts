import type { Transaction } from "sequelize";

import type { ArtFindings } from "../../imports/results/assets.ts";
import { storeImported } from "../../imports/sources/imported-source.ts";
import { analyze } from "../../platform/db/analyze.ts";
import { lockForTransaction } from "../../platform/db/lock.ts";
import type { AssetManifest } from "../calls/asset-calls.ts";
import { applyCreatureArt } from "./creature-art-sql.ts";
import { fingerprintOf, type LoadedAssets } from "./loaded.ts";
import { deleteUnshown, pictureTables } from "./pictures-sql.ts";
import { countResolved, removeVanished, showBodies, showKeys } from "./stage-sql.ts";
import type { AssetStage } from "./stage.ts";

/** What changed by showing another catalogue. */
export interface Applied {
  /** Keys that show another picture than before. */
  readonly written: number;
  readonly removed: number;
  /** Staged creatures whose body has its picture now. */
  readonly resolved: number;
  readonly art: ArtFindings;
}

/** Puts the staged catalogue in the place of the one that is shown. */
export async function applyStage(
  stage: AssetStage,
  { manifest, atlasGeneration }: { manifest: AssetManifest; atlasGeneration: number },
  transaction: Transaction,
): Promise<Applied> {
  await lockForTransaction("assets", transaction);
  await stage.requireWhole(transaction);
  const removed = await removeVanished(stage.id, transaction);
  const written = await showKeys(stage.id, transaction);
  await showBodies(stage.id, transaction);
  const resolved = await countResolved(stage.id, transaction);
  const art = await applyCreatureArt(transaction);
  await deleteUnshown(transaction);
  const creatures = ["creature_art", "atlas_creatures (generation, type_key)"];
  await analyze([...pictureTables, ...creatures], transaction);
  const { catalog, extractorVersion } = manifest;
  const loaded: LoadedAssets = { catalog, extractorVersion, atlasGeneration };
  const source = { fingerprint: fingerprintOf(manifest), loaded };
  await storeImported("assets", source, transaction);
  return { written, removed, resolved, art };
}
