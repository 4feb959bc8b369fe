import {
  toAtlasFaultCode,
  type AtlasResult,
  blankAtlasResult,
  nothingPendingResult,
} from "../../../imports/results/atlas.ts";
import { catchSourceFault, SourceFault } from "../../../imports/results/source-fault.ts";
import type { ImportRun } from "../../../imports/runs/run-import.ts";
import type { Context } from "../../../platform/context.ts";
import type { ShardContext } from "../../context.ts";
import type { AtlasTreeView } from "../tree/tree.ts";
import { type AtlasLocation, type AtlasSource, openAtlas, readAtlasLocation } from "./source.ts";
import { AtlasStage } from "./stage.ts";
import {
  type AtlasState,
  type PendingAtlas,
  pendingRevision,
  readAtlasState,
  readLoadedFacets,
} from "./state.ts";
import { type StagedAtlas, assignCreatureBodies, publishAtlas } from "./store.ts";

/**
 * Imports the atlas from its source. A refresh that would lose a facet must be approved before it is
 * applied. After the approval the source is parsed again; if it would now lose another facet, it is
 * reviewed again.
 */
export async function refreshAtlas(run: ImportRun, context: ShardContext): Promise<AtlasResult> {
  const state = await readAtlasState(context);
  if (run.flags.approve && state.pendingStatus !== "pending") return nothingPendingResult;
  const place = await readAtlasLocation(context);
  const result = await catchSourceFault(() => refreshFrom(place, state, run, context));
  return result instanceof SourceFault ? toUnavailable(place, result) : result;
}

const toUnavailable = (place: AtlasLocation, fault: SourceFault): AtlasResult => ({
  ...blankAtlasResult,
  ...place,
  status: "unavailable",
  code: toAtlasFaultCode(fault),
  reason: fault.message,
});

async function refreshFrom(
  place: AtlasLocation,
  state: AtlasState,
  run: ImportRun,
  context: ShardContext,
): Promise<AtlasResult> {
  await run.report("source", 0);
  const source = await openAtlas(place, context, run);
  const known = run.flags.force ? null : findKnownResult(source, state, run);
  if (known?.status === "unchanged") return withdrawReview(known, run, context);
  if (known) return known;
  const stage = await AtlasStage.open(run, context);
  try {
    await source.read(run, (batch) => stage.add(batch));
    await stage.finish();
    const read = await compareWithShown(source, stage, context);
    const shown = run.flags.approve ? (state.pending?.removedFacets ?? []) : [];
    const isLossShown = read.result.removedFacets.every((facet) => shown.includes(facet));
    const mayApply = isLossShown && isApprovedRevision(source, state, run);
    return await (mayApply ? storeAtlas(read, run, context) : askForReview(read, run, context));
  } finally {
    await stage.close();
  }
}

/**
 * Returns true if the source still has the revision that the approver read, or if the approval names no revision.
 */
function isApprovedRevision(
  { fingerprint }: AtlasSource,
  state: AtlasState,
  { flags }: ImportRun,
): boolean {
  if (flags.basedOn === undefined) return true;
  return flags.basedOn === pendingRevision(state) && fingerprint === state.pendingFingerprint;
}

/** Returns the result of a source that is already loaded or reviewed; null if the source must be parsed. */
function findKnownResult(
  source: AtlasSource,
  state: AtlasState,
  { flags }: ImportRun,
): AtlasResult | null {
  const { fingerprint } = source;
  const base = { ...blankAtlasResult, source: source.source, path: source.path };
  if (state.loaded && fingerprint === state.fingerprint) {
    return { ...base, status: "unchanged", counts: state.loaded.counts };
  }
  const { pending, pendingStatus } = state;
  if (flags.approve || !pending || fingerprint !== state.pendingFingerprint) return null;
  const { counts, addedFacets, removedFacets } = pending;
  const isRejected = pendingStatus === "rejected";
  const status = isRejected ? "rejected" : "needsReview";
  const reason = isRejected
    ? "An administrator rejected this state of the source; the next change is reviewed again"
    : describeLoss(removedFacets);
  return { ...base, status, reason, counts, addedFacets, removedFacets };
}

/** Ends the review, because the source has become equal to the loaded atlas again. */
const withdrawReview = (
  unchanged: AtlasResult,
  run: ImportRun,
  { models }: Context,
): Promise<AtlasResult> =>
  run.apply(async (transaction) => {
    await models.AtlasState.withdrawPending(transaction);
    return unchanged;
  });

async function compareWithShown(
  source: AtlasSource,
  stage: AtlasStage,
  context: ShardContext,
): Promise<StagedAtlas> {
  const counts = stage.tally.counts(source.files.length);
  const before = await readLoadedFacets(context);
  const after = Object.keys(counts.perFacet).toSorted();
  const result: AtlasResult = {
    ...blankAtlasResult,
    status: "imported",
    reason: describeLeftOut(source.tree),
    source: source.source,
    path: source.path,
    counts,
    addedFacets: after.filter((facet) => !before.includes(facet)),
    removedFacets: before.filter((facet) => !after.includes(facet)),
  };
  return { source, stage, counts, result };
}

/** Describes which spawn files were read and which were skipped: no other field of the result contains this. */
function describeLeftOut(tree: AtlasTreeView | null): string | null {
  if (!tree || tree.leftOut.length === 0) return null;
  const others = tree.leftOut.map(({ path, files }) => `${path} (files: ${files})`).join(", ");
  const read = [...tree.folders, ...(tree.era ? [tree.era] : [])].join(", ");
  return `Spawners were read from ${read}; ignored, because they are separate worlds: ${others}`;
}

const describeLoss = (facets: readonly string[]): string =>
  `The import would remove ${facets.join(", ")}`;

/** Asks administrators to review a refresh. This refresh replaces an earlier one that is still pending. */
async function askForReview(
  { source, counts, result: found }: StagedAtlas,
  run: ImportRun,
  { models }: Context,
): Promise<AtlasResult> {
  const { fingerprint, path } = source;
  const { addedFacets, removedFacets } = found;
  const stagedAt = new Date().toISOString();
  const loss = { addedFacets, removedFacets, stagedAt };
  const pending: PendingAtlas = { source: source.source, path, counts, ...loss };
  const result: AtlasResult = {
    ...found,
    status: "needsReview",
    reason: describeLoss(removedFacets),
  };
  return run.apply(async (transaction) => {
    await models.AtlasState.propose({ fingerprint, pending }, transaction);
    return result;
  });
}

async function storeAtlas(
  read: StagedAtlas,
  run: ImportRun,
  context: ShardContext,
): Promise<AtlasResult> {
  await assignCreatureBodies(read.stage, run, context);
  await run.report("swap", 0);
  return publishAtlas(read, run, context);
}
