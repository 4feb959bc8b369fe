import type { Context } from "../../context.ts";
import type { FileStamp } from "../../imports/read-file.ts";
import { orFault, SourceFault } from "../../imports/source-fault.ts";
import { openAtlas, placeOfAtlas } from "./origin.ts";
import { atlasCodeOf, type AtlasCounts, type AtlasSource } from "./result.ts";
import { type AtlasState, readAtlasState } from "./state.ts";
import type { TreeKind } from "./tree.ts";

export interface AtlasStatus {
  readonly source: AtlasSource;
  readonly path: string | null;
  readonly readable: boolean;
  readonly problem: string | null;
  readonly code: string | null;
  /** Whether the source is another than what is loaded; null while it cannot be read. */
  readonly drift: boolean | null;
  readonly loaded: {
    readonly facets: number;
    readonly regions: number;
    readonly spawners: number;
    readonly creatures: number;
    readonly importedAt: Date | null;
    readonly sources: readonly FileStamp[];
    readonly kind: TreeKind | null;
    readonly era: string | null;
  };
  readonly pending: {
    readonly status: "pending" | "rejected";
    readonly removedFacets: readonly string[];
    readonly addedFacets: readonly string[];
    readonly counts: AtlasCounts;
    readonly stagedAt: string;
  } | null;
}

/** The atlas's source as it stands now, beside what is loaded of it. */
export async function readAtlasStatus(context: Context): Promise<AtlasStatus> {
  const place = await placeOfAtlas(context);
  const [state, origin] = await Promise.all([
    readAtlasState(context.sequelize),
    orFault(() => openAtlas(place, context)),
  ]);
  const fault = origin instanceof SourceFault ? origin : null;
  return {
    ...place,
    readable: fault === null,
    problem: fault?.message ?? null,
    code: fault && atlasCodeOf(fault),
    drift: origin instanceof SourceFault ? null : origin.fingerprint !== state.fingerprint,
    loaded: loadedOf(state),
    pending: pendingOf(state),
  };
}

function loadedOf({ loaded, importedAt }: AtlasState): AtlasStatus["loaded"] {
  const { facets = 0, regions = 0, spawners = 0, creatures = 0 } = loaded?.counts ?? {};
  const { sources = [], kind = null, era = null } = loaded ?? {};
  return { facets, regions, spawners, creatures, importedAt, sources, kind, era };
}

function pendingOf({ pending, pendingStatus }: AtlasState): AtlasStatus["pending"] {
  if (!pending || !pendingStatus) return null;
  const { removedFacets, addedFacets, counts, stagedAt } = pending;
  return { status: pendingStatus, removedFacets, addedFacets, counts, stagedAt };
}
