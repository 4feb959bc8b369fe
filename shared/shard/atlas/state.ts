import { QueryTypes, type Sequelize } from "sequelize";

import type { FileStamp } from "../../imports/read-file.ts";
import type { AtlasCounts, AtlasSource } from "./result.ts";
import type { TreeKind } from "./tree.ts";

/** What is loaded, and of what. */
export interface LoadedAtlas {
  readonly source: AtlasSource;
  readonly path: string | null;
  readonly counts: AtlasCounts;
  readonly sources: readonly FileStamp[];
  readonly kind: TreeKind | null;
  readonly era: string | null;
}

/** A refresh that would remove a facet and was not applied. */
export interface PendingAtlas {
  readonly source: AtlasSource;
  readonly path: string | null;
  readonly counts: AtlasCounts;
  readonly addedFacets: readonly string[];
  readonly removedFacets: readonly string[];
  readonly stagedAt: string;
}

export interface AtlasState {
  readonly generation: number;
  readonly fingerprint: string | null;
  readonly loaded: LoadedAtlas | null;
  readonly importedAt: Date | null;
  readonly pendingStatus: "pending" | "rejected" | null;
  readonly pendingFingerprint: string | null;
  readonly pending: PendingAtlas | null;
}

/** What is loaded and what waits for a decision. */
export async function readAtlasState(sequelize: Sequelize): Promise<AtlasState> {
  const [state] = await sequelize.query<AtlasState>(
    `select generation, fingerprint, loaded, imported_at as "importedAt",
       pending_status as "pendingStatus", pending_fingerprint as "pendingFingerprint", pending
     from atlas_state left join imported_sources on kind = 'atlas'`,
    { type: QueryTypes.SELECT },
  );
  if (!state) throw new Error("the row of atlas_state is missing");
  return state;
}

/** Names of the facets that are shown now. */
export async function readLoadedFacets(sequelize: Sequelize): Promise<string[]> {
  const rows = await sequelize.query<{ name: string }>(
    "select name from atlas_facets join atlas_state using (generation) order by name",
    { type: QueryTypes.SELECT },
  );
  return rows.map(({ name }) => name);
}
