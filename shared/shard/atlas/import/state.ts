import type { AtlasState as StateRow } from "../../../../models/atlas/atlas-state.ts";
import type { FileStamp } from "../../../imports/files/read-file.ts";
import type { AtlasCounts, AtlasSourceName } from "../../../imports/results/atlas.ts";
import { readImported } from "../../../imports/sources/imported-source.ts";
import { hashOf } from "../../../platform/based-on.ts";
import type { Context } from "../../../platform/context.ts";
import { inSnapshot } from "../../../platform/db/transaction.ts";
import type { TreeKind } from "../tree/tree.ts";

/** What is loaded, and of what. */
export interface LoadedAtlas {
  readonly source: AtlasSourceName;
  readonly path: string | null;
  readonly counts: AtlasCounts;
  readonly sources: readonly FileStamp[];
  /** Kept of a local tree for the release before this one, which shows them. */
  readonly kind: TreeKind | null;
  readonly era: string | null;
}

/** A refresh that would remove a facet and was not applied. */
export interface PendingAtlas {
  readonly source: AtlasSourceName;
  readonly path: string | null;
  readonly counts: AtlasCounts;
  readonly addedFacets: readonly string[];
  readonly removedFacets: readonly string[];
  readonly stagedAt: string;
}

type Waiting = Pick<StateRow, "pendingFingerprint"> & { readonly pending: object | null };

/** The revision of a refresh that was put up for review: of its source and of what it would do. */
export const pendingRevision = ({ pendingFingerprint, pending }: Waiting): string | null =>
  pending && hashOf([pendingFingerprint, pending]);

export interface AtlasState extends Readonly<
  Pick<StateRow, "generation" | "pendingStatus" | "pendingFingerprint">
> {
  readonly fingerprint: string | null;
  readonly loaded: LoadedAtlas | null;
  readonly importedAt: Date | null;
  readonly pending: PendingAtlas | null;
}

/** What is loaded and what waits for a decision. */
export const readAtlasState = ({
  sequelize,
  models,
}: Pick<Context, "sequelize" | "models">): Promise<AtlasState> =>
  inSnapshot(sequelize, async (transaction) => {
    const state = await models.AtlasState.read({ transaction });
    const imported = await readImported<LoadedAtlas>("atlas", { models }, transaction);
    return {
      generation: state.generation,
      fingerprint: imported?.fingerprint ?? null,
      loaded: imported?.loaded ?? null,
      importedAt: imported?.importedAt ?? null,
      pendingStatus: state.pendingStatus,
      pendingFingerprint: state.pendingFingerprint,
      pending: state.pending as PendingAtlas | null,
    };
  });

/** Names of the facets that are shown now. */
export async function readLoadedFacets({ models }: Pick<Context, "models">): Promise<string[]> {
  const { generation } = await models.AtlasState.read();
  const facets = await models.AtlasFacet.findAll({ where: { generation }, order: ["name"] });
  return facets.map(({ name }) => name);
}
