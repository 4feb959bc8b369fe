import type { Transaction } from "sequelize";

import { catchSourceFault, SourceFault } from "../../imports/results/source-fault.ts";
import { type ImportedData, readImportedData } from "../../imports/sources/imported-source.ts";
import type { Context } from "../../platform/context.ts";
import { type AssetManifest, getAssetManifestCall } from "../calls/asset-calls.ts";
import { type FaultCodeMap, openImportControlClient } from "../calls/link-source.ts";
import type { ShardContext } from "../context.ts";
import {
  countCreatures,
  countLoadedAssets,
  type CreatureCounts,
  type LoadedAssetCounts,
} from "./pictures.sql.ts";
import { describeImagingFailure, sourceFaultOf } from "./shard-assets.ts";

export interface AssetStatus {
  readonly loaded: LoadedAssetCounts &
    CreatureCounts & {
      readonly catalog: string | null;
      readonly extractorVersion: number | null;
      readonly importedAt: Date | null;
    };
  readonly shard: Pick<
    AssetManifest,
    "files" | "extractorVersion" | "hashing" | "complete" | "imaging" | "families"
  > | null;
  /** True if the shard's pictures differ from the loaded ones; null while that is unknown. */
  readonly drift: boolean | null;
  readonly reason: string | null;
  readonly code: string | null;
}

/** Maps the codes of calls to the fewer codes that the API of the status has. */
const codeNames: FaultCodeMap = {
  UNSUPPORTED: "NO_SOURCE",
  MALFORMED: "UNAVAILABLE",
  TOO_LARGE: "UNAVAILABLE",
};

export async function readAssetStatus(
  requestId: string,
  context: ShardContext,
): Promise<AssetStatus> {
  const { sequelize } = context;
  const [source, counts, creatures, manifest] = await Promise.all([
    readLoadedAssets(context),
    countLoadedAssets(sequelize),
    countCreatures(sequelize),
    catchSourceFault(() => askShard(requestId, context)),
  ]);
  const { catalog = null, extractorVersion = null } = source?.loaded ?? {};
  const importedAt = source?.importedAt ?? null;
  return {
    loaded: { ...counts, ...creatures, catalog, extractorVersion, importedAt },
    ...(manifest instanceof SourceFault
      ? describeFault(manifest)
      : describeManifest(manifest, source?.fingerprint ?? null)),
  };
}

async function askShard(requestId: string, context: ShardContext): Promise<AssetManifest> {
  const control = await openImportControlClient(context);
  return control.read(getAssetManifestCall, { requestId }).catch((error: unknown) => {
    throw sourceFaultOf(error, codeNames);
  });
}

type ShardAssetStatus = Omit<AssetStatus, "loaded">;

const describeFault = ({ code, message: reason }: SourceFault): ShardAssetStatus => ({
  shard: null,
  drift: null,
  reason,
  code,
});

/** @param loaded the fingerprint of the loaded catalog */
function describeManifest(manifest: AssetManifest, loaded: string | null): ShardAssetStatus {
  const { files, extractorVersion, hashing, complete, imaging, families } = manifest;
  const isSettled = !hashing && manifest.catalog !== null;
  const drift = isSettled ? loaded !== fingerprintManifest(manifest) : null;
  return {
    shard: { files, extractorVersion, hashing, complete, imaging, families },
    drift,
    ...problemOf(manifest, drift === true && loaded !== null),
  };
}

/** Returns the most severe problem that an operator should know of. */
function problemOf(
  { hashing, complete, imaging }: AssetManifest,
  hasChanged: boolean,
): Pick<AssetStatus, "reason" | "code"> {
  if (hashing) return { code: "BUSY", reason: "The shard is hashing its pictures" };
  if (imaging && !imaging.ok) {
    return { code: "NO_IMAGING", reason: describeImagingFailure(imaging) };
  }
  if (!complete) return { code: "UNAVAILABLE", reason: "The shard's list is not complete" };
  if (!hasChanged) return { code: null, reason: null };
  return {
    code: "SOURCE_CHANGED",
    reason: "The shard's pictures differ from the imported ones: import them",
  };
}

export interface LoadedAssets extends Pick<AssetManifest, "catalog" | "extractorVersion"> {
  /** The generation of the atlas whose creatures were resolved. */
  readonly atlasGeneration: number;
}

type Models = Pick<Context, "models">;

export const readLoadedAssets = (
  models: Models,
  transaction?: Transaction,
): Promise<ImportedData<LoadedAssets> | null> => readImportedData("assets", models, transaction);

/** Returns a value that changes whenever an import of the source could have another result. */
export const fingerprintManifest = (manifest: AssetManifest): string =>
  JSON.stringify([
    manifest.catalog,
    manifest.extractorVersion,
    manifest.families.toSorted(),
    manifest.playerBodies.toSorted((one, other) => one - other),
  ]);
