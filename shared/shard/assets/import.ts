import type { Transaction } from "sequelize";

import {
  type ArtAssignmentResult,
  type AssetResult,
  blankAssetResult,
} from "../../imports/results/assets.ts";
import { catchSourceFault, SourceFault } from "../../imports/results/source-fault.ts";
import type { ImportRun } from "../../imports/runs/run-import.ts";
import { storeImportedData } from "../../imports/sources/imported-source.ts";
import { takeTransactionLock } from "../../platform/db/lock.ts";
import { analyzeTables } from "../../platform/db/rows.ts";
import { type AssetManifest, walkAssetKeys } from "../calls/asset-calls.ts";
import {
  type FaultCodeMap,
  requireCompletePagedRead,
  createPagedReadFault,
} from "../calls/link-source.ts";
import type { ShardContext } from "../context.ts";
import { applyCreatureArt, countCreatureArt } from "./art.sql.ts";
import { type FetchTally, fetchWantedPictures, emptyFetchTally } from "./fetch-wanted.ts";
import { countLoadedAssets, deleteUnusedPictures, pictureTables } from "./pictures.sql.ts";
import { lookUpCreatureBodies } from "./resolve-creatures.ts";
import { openShardAssets, type ShardAssets } from "./shard-assets.ts";
import {
  countResolvedCreatures,
  deleteVanishedKeys,
  publishStagedBodies,
  publishStagedKeys,
} from "./stage.sql.ts";
import { AssetStage } from "./stage.ts";
import { fingerprintManifest, type LoadedAssets, readLoadedAssets } from "./status.ts";

/**
 * The API of this import has no code UNSUPPORTED, so a shard that lacks the call is reported as one that has no
 * source.
 */
const codeNames: FaultCodeMap = { UNSUPPORTED: "NO_SOURCE" };

/** The maximum number of keys that a review lists. The review also has the number of all vanished keys. */
const maxListedVanished = 50;

/** One attempt at an import. The result contains `found` even if the attempt fails. */
interface Attempt {
  readonly run: ImportRun;
  readonly context: ShardContext;
  readonly found: { -readonly [Field in keyof AssetResult]?: AssetResult[Field] };
}

/**
 * Imports the shard's catalog of pictures, with the pictures of bodies and land tiles. If keys vanished, an
 * administrator must approve the catalog before it is applied. If other keys have vanished when the approved
 * import runs, it needs another approval.
 */
export async function importAssets(run: ImportRun, context: ShardContext): Promise<AssetResult> {
  const attempt: Attempt = { run, context, found: {} };
  const result = await catchSourceFault(() => importFrom(attempt));
  if (!(result instanceof SourceFault)) return result;
  const { code, message: reason } = result;
  return { ...blankAssetResult, ...attempt.found, status: "unavailable", code, reason };
}

async function importFrom(attempt: Attempt): Promise<AssetResult> {
  const { run, context, found } = attempt;
  await run.report("source", 0);
  const shard = await openShardAssets(codeNames, run.signal, context);
  const { catalog, extractorVersion, playerBodies } = shard.manifest;
  Object.assign(found, { catalog, extractorVersion, playerBodies });
  const { generation: atlasGeneration } = await context.models.AtlasState.read();
  const before = await readLoadedAssets(context);
  const isLoaded =
    before?.fingerprint === fingerprintManifest(shard.manifest) &&
    before.loaded.atlasGeneration === atlasGeneration;
  if (isLoaded && !run.flags.force) return describeUnchanged(attempt);
  const stage = await AssetStage.open(run, context.sequelize);
  try {
    await readKeys(stage, shard, attempt);
    const vanished = await stage.findVanished();
    if (!(await run.isLossApproved(vanished))) return await askForReview(vanished, attempt);
    await readPictures(stage, shard, attempt);
    return await swap(stage, { shard, atlasGeneration }, attempt);
  } finally {
    await stage.close();
  }
}

async function describeUnchanged({ run, context, found }: Attempt): Promise<AssetResult> {
  const { assets } = await countLoadedAssets(context.sequelize);
  const art = await countCreatureArt(context.sequelize);
  return {
    ...blankAssetResult,
    ...found,
    ...emptyFetchTally,
    status: "unchanged",
    assets,
    written: 0,
    scanned: 0,
    pages: 0,
    art,
    ...(run.flags.approve && { removed: 0 }),
  };
}

/** @throws {SourceFault} if a page of keys is missing or the source changed */
async function readKeys(
  stage: AssetStage,
  { control, manifest, names, signal }: ShardAssets,
  { run, found }: Attempt,
): Promise<void> {
  let done = 0;
  const walked = await walkAssetKeys(
    control,
    async (rows) => {
      await stage.addKeys(rows);
      done += rows.length;
      await run.report("keys", done, manifest.keys);
    },
    signal,
  );
  Object.assign(found, { scanned: walked.records, pages: walked.pages });
  requireCompletePagedRead(walked, names);
  if (walked.manifest.catalog !== manifest.catalog) {
    throw createPagedReadFault("SOURCE_CHANGED", "the source changed while it was read", names);
  }
  found.assets = walked.records;
}

function askForReview(vanished: readonly string[], { run, found }: Attempt): Promise<AssetResult> {
  const result: AssetResult = {
    ...blankAssetResult,
    ...found,
    ...emptyFetchTally,
    status: "needsReview",
    reason: `${vanished.length} of the stored pictures no longer exist on the shard`,
    written: 0,
    vanished: vanished.slice(0, maxListedVanished),
    vanishedCount: vanished.length,
  };
  return run.requestReview(result, vanished);
}

async function readPictures(
  stage: AssetStage,
  shard: ShardAssets,
  { run, context: { models }, found }: Attempt,
): Promise<void> {
  const { playerBodies, families } = shard.manifest;
  found.bodies = await lookUpCreatureBodies(stage, shard, run, models);
  const force = run.flags.force === true;
  const total = await stage.markWanted({ playerBodies, families, force });
  Object.assign(found, emptyFetchTally);
  const onTally = (tally: FetchTally) => Object.assign(found, tally);
  await fetchWantedPictures(stage, shard, { ...run, total, onTally });
}

async function swap(
  stage: AssetStage,
  { shard, atlasGeneration }: { shard: ShardAssets; atlasGeneration: number },
  { run, found }: Attempt,
): Promise<AssetResult> {
  await run.report("swap", 0);
  const { manifest } = shard;
  return run.apply(async (transaction) => {
    const applied = await applyStage(stage, { manifest, atlasGeneration }, transaction);
    const { written, removed, resolved, art } = applied;
    return {
      ...blankAssetResult,
      ...found,
      status: "imported",
      written,
      bodies: { ...(found.bodies ?? blankAssetResult.bodies), resolved },
      art,
      ...(run.flags.approve && { removed }),
    };
  });
}

interface ApplyResult {
  /** Keys that now show another picture. */
  readonly written: number;
  readonly removed: number;
  /** Staged creatures whose body has a stored picture now. */
  readonly resolved: number;
  readonly art: ArtAssignmentResult;
}

async function applyStage(
  stage: AssetStage,
  { manifest, atlasGeneration }: { manifest: AssetManifest; atlasGeneration: number },
  transaction: Transaction,
): Promise<ApplyResult> {
  await takeTransactionLock("assets", transaction);
  await stage.requireWhole(transaction);
  const removed = await deleteVanishedKeys(stage.id, transaction);
  const written = await publishStagedKeys(stage.id, transaction);
  await publishStagedBodies(stage.id, transaction);
  const resolved = await countResolvedCreatures(stage.id, transaction);
  const art = await applyCreatureArt(transaction);
  await deleteUnusedPictures(transaction);
  const creatures = ["creature_art", "atlas_creatures (generation, type_key)"];
  await analyzeTables([...pictureTables, ...creatures], transaction);
  const { catalog, extractorVersion } = manifest;
  const loaded: LoadedAssets = { catalog, extractorVersion, atlasGeneration };
  const source = { fingerprint: fingerprintManifest(manifest), loaded };
  await storeImportedData("assets", source, transaction);
  return { written, removed, resolved, art };
}
