import type { FileFingerprint } from "../../../imports/files/read-file.ts";
import {
  toAtlasFaultCode,
  type AtlasCounts,
  type AtlasSourceName,
} from "../../../imports/results/atlas.ts";
import { catchSourceFault, SourceFault } from "../../../imports/results/source-fault.ts";
import type { ShardContext } from "../../context.ts";
import type { AtlasTreeView } from "../tree/tree.ts";
import { openAtlas, readAtlasLocation } from "./source.ts";
import { type AtlasState, pendingRevision, readAtlasState } from "./state.ts";

export interface AtlasStatus {
  readonly source: AtlasSourceName;
  readonly path: string | null;
  readonly readable: boolean;
  readonly problem: string | null;
  readonly code: string | null;
  /** True if the source differs from the loaded atlas; null while the source cannot be read. */
  readonly drift: boolean | null;
  readonly loaded: {
    readonly facets: number;
    readonly regions: number;
    readonly spawners: number;
    readonly creatures: number;
    readonly importedAt: Date | null;
    readonly sources: readonly FileFingerprint[];
  };
  /** Null while no atlas is loaded. */
  readonly counts: AtlasCounts | null;
  /** The folders and files of a local tree that would be read now; null without a readable local tree. */
  readonly tree: AtlasTreeView | null;
  readonly pending: {
    readonly status: "pending" | "rejected";
    readonly removedFacets: readonly string[];
    readonly addedFacets: readonly string[];
    readonly counts: AtlasCounts;
    readonly stagedAt: string;
    readonly revision: string | null;
  } | null;
}

export async function readAtlasStatus(context: ShardContext): Promise<AtlasStatus> {
  const place = await readAtlasLocation(context);
  const [state, source] = await Promise.all([
    readAtlasState(context),
    catchSourceFault(() => openAtlas(place, context)),
  ]);
  const fault = source instanceof SourceFault ? source : null;
  return {
    ...place,
    readable: fault === null,
    problem: fault?.message ?? null,
    code: fault && toAtlasFaultCode(fault),
    drift: source instanceof SourceFault ? null : source.fingerprint !== state.fingerprint,
    loaded: loadedOf(state),
    counts: state.loaded?.counts ?? null,
    tree: source instanceof SourceFault ? null : source.tree,
    pending: pendingOf(state),
  };
}

function loadedOf({ loaded, importedAt }: AtlasState): AtlasStatus["loaded"] {
  const { facets = 0, regions = 0, spawners = 0, creatures = 0 } = loaded?.counts ?? {};
  return { facets, regions, spawners, creatures, importedAt, sources: loaded?.sources ?? [] };
}

function pendingOf(state: AtlasState): AtlasStatus["pending"] {
  const { pending, pendingStatus } = state;
  if (!pending || !pendingStatus) return null;
  const { removedFacets, addedFacets, counts, stagedAt } = pending;
  const revision = pendingRevision(state);
  return { status: pendingStatus, removedFacets, addedFacets, counts, stagedAt, revision };
}
