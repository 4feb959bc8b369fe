import type { Context } from "../../context.ts";
import type { ImportRun } from "../../imports/run-import.ts";
import { orFault, SourceFault } from "../../imports/source-fault.ts";
import { applyAtlas, clearPending, stageAtlas } from "./apply.ts";
import { findBodies, writeBodies, writeCreatures } from "./creatures.ts";
import { AtlasLoading } from "./loading.ts";
import { type AtlasOrigin, type AtlasPlace, openAtlas, placeOfAtlas } from "./origin.ts";
import { atlasCodeOf, type AtlasResult, blankAtlasResult, nothingPending } from "./result.ts";
import { type AtlasState, readAtlasState, readLoadedFacets } from "./state.ts";

/**
 * Brings the atlas up to its source. A refresh that would lose a facet is staged and not applied,
 * unless it was approved; the tree is parsed anew then.
 */
export async function refreshAtlas(run: ImportRun, context: Context): Promise<AtlasResult> {
  const state = await readAtlasState(context.sequelize);
  if (run.flags.approve && state.pendingStatus !== "pending") return nothingPending;
  const place = await placeOfAtlas(context);
  const result = await orFault(() => refreshFrom(place, state, run, context));
  return result instanceof SourceFault ? toUnavailable(place, result) : result;
}

const toUnavailable = (place: AtlasPlace, fault: SourceFault): AtlasResult => ({
  ...blankAtlasResult,
  ...place,
  status: "unavailable",
  code: atlasCodeOf(fault),
  reason: fault.message,
});

async function refreshFrom(
  place: AtlasPlace,
  state: AtlasState,
  run: ImportRun,
  context: Context,
): Promise<AtlasResult> {
  await run.report("source", 0);
  const origin = await openAtlas(place, context, run.signal);
  const known = run.flags.force ? null : resultOfKnown(origin, state, run);
  if (known?.status === "unchanged") await clearPending(context.sequelize);
  if (known) return known;
  const loading = await AtlasLoading.begin(origin.source === "fs", run, context.sequelize);
  try {
    await origin.read(loading, run);
    return await decide(origin, loading, run, context);
  } catch (error) {
    await loading.discard();
    throw error;
  }
}

/** What is known of a source without reading it again: it is loaded, or was put before somebody. */
function resultOfKnown(
  origin: AtlasOrigin,
  state: AtlasState,
  { flags }: ImportRun,
): AtlasResult | null {
  const { source, path, fingerprint } = origin;
  const base = { ...blankAtlasResult, source, path };
  if (state.loaded && fingerprint === state.fingerprint) {
    return { ...base, status: "unchanged", counts: state.loaded.counts };
  }
  const { pending, pendingStatus } = state;
  if (flags.approve || !pending || fingerprint !== state.pendingFingerprint) return null;
  const { counts, addedFacets, removedFacets } = pending;
  const isRejected = pendingStatus === "rejected";
  const status = isRejected ? "rejected" : "needsReview";
  const reason = isRejected
    ? "This state of the source was rejected; a changed one is asked about again"
    : lossOf(removedFacets);
  return { ...base, status, reason, counts, addedFacets, removedFacets };
}

const lossOf = (facets: readonly string[]): string => `It would remove ${facets.join(", ")}`;

async function decide(
  origin: AtlasOrigin,
  loading: AtlasLoading,
  run: ImportRun,
  context: Context,
): Promise<AtlasResult> {
  const { source, path } = origin;
  const counts = loading.tally.counts(origin.files.length);
  const before = await readLoadedFacets(context.sequelize);
  const after = Object.keys(counts.perFacet).toSorted();
  const addedFacets = after.filter((facet) => !before.includes(facet));
  const removedFacets = before.filter((facet) => !after.includes(facet));
  const found = { ...blankAtlasResult, source, path, counts, addedFacets, removedFacets };
  if (removedFacets.length > 0 && !run.flags.approve) {
    const reason = lossOf(removedFacets);
    const result: AtlasResult = { ...found, status: "needsReview", reason };
    await stageAtlas({ origin, result, counts }, run, context);
    await loading.discard();
    return result;
  }
  const creatures = loading.tally.creatures.counts();
  await Promise.all([
    loading.analyze(),
    writeCreatures(loading.generation, creatures, context.sequelize),
  ]);
  const types = creatures.map(({ typeKey }) => typeKey);
  const bodies = await findBodies(types, run, context);
  await writeBodies(loading.generation, bodies, context.sequelize);
  const result: AtlasResult = { ...found, status: "imported" };
  await run.report("swap", 0);
  if (await applyAtlas({ origin, result, counts }, loading.generation, run, context)) return result;
  await loading.discard();
  return nothingPending;
}
